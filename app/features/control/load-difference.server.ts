import { type DiffLine, diffLines } from '#app/components/value/diff-lines.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { artifactOf, type ControlState, type ControlSubject, versionOf } from '#app/domain/control/control-subject.ts';
import { EMPTY_AGENT, versionDocumentSchema } from '#app/domain/workflows/agent.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { diffAgents, diffWorkflows, type WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';
import { policyLines, readPolicyDocument } from '#app/engine/policy/author-policy.ts';
import { type ExampleResult, runExamples } from '#app/engine/policy/examples/run-examples.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { type Dependents, loadDependents } from '#app/engine/workflows/load-dependents.ts';

type Side = { status: ArtifactStatus; number: number | null };

/** The difference of a policy, workflow or agent before and after a change: in lines of its text, and of a version place by place. */
export type ForceDifference = {
  kind: 'policy' | 'workflow' | 'agent';
  before: Side;
  after: Side;
  text: DiffLine[];
  /** Null for a policy, whose text says it all. */
  version: { changes: WorkflowChange[]; stepsBefore: Step[]; steps: Step[]; dependents: Dependents | null } | null;
  /** Of the policy afterwards, decided by its text as it is. */
  examples: ExampleResult[];
  /** Author of the version afterwards. */
  author: string | null;
};

/** Null where the change is about something that has no versions. What depends on a workflow is read while the change is `isPending`. */
export async function loadDifference(
  db: Db,
  { kind, workspace, resource, before, after }: ControlSubject,
  isPending: boolean,
): Promise<ForceDifference | null> {
  const artifact = artifactOf(kind);
  if (artifact === null) return null;
  const [from, to] = [await readSide(db, before), await readSide(db, after)];
  const common = {
    kind: artifact,
    before: { status: from.status, number: from.number },
    after: { status: to.status, number: to.number },
    author: to.author,
  };
  if (artifact === 'policy')
    return {
      ...common,
      text: diffLines(policyLines(from.document), policyLines(to.document)),
      version: null,
      examples: await examplesOf(db, workspace, to.document),
    };
  const { changes, stepsBefore, steps } = compare(artifact, resource, from.document, to.document);
  const dependents = artifact === 'workflow' && isPending ? await loadDependents(db, resource) : null;
  return {
    ...common,
    text: diffLines(pretty(from.document), pretty(to.document)),
    version: { changes, stepsBefore, steps, dependents },
    examples: [],
  };
}

async function examplesOf(db: Db, workspaceId: string, document: Json): Promise<ExampleResult[]> {
  const read = readPolicyDocument(document);
  return read?.examples === undefined ? [] : runExamples(read.text, read.examples, await loadToolSchemas(db, workspaceId));
}

function compare(artifact: 'workflow' | 'agent', id: string, from: Json, to: Json) {
  const [before, after] = [from === null ? null : versionDocumentSchema.parse(from), versionDocumentSchema.parse(to)];
  const agentIn = (version: typeof before) => version?.agents[id]?.document ?? EMPTY_AGENT;
  if (artifact === 'agent') return { changes: diffAgents(agentIn(before), agentIn(after)), stepsBefore: [], steps: [] };
  return { changes: before === null ? [] : diffWorkflows(before, after), stepsBefore: before?.steps ?? [], steps: after.steps };
}

/** With everything invisible spelled out: instructions of an agent could hide some. */
const pretty = (document: Json) => (document === null ? '' : revealedText(JSON.stringify(document, null, 2)));

async function readSide(db: Db, state: ControlState | null) {
  const id = versionOf(state);
  const status: ArtifactStatus = state !== null && 'status' in state ? state.status : 'inactive';
  if (id === null) return { status, number: null, document: null, author: null };
  const row = await db.selectFrom('quorate.versions').select(['number', 'document', 'author_id']).where('id', '=', id).executeTakeFirst();
  return { status, number: row?.number ?? null, document: row?.document ?? null, author: row?.author_id ?? null };
}
