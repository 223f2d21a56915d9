import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { runFileSchema } from '#app/domain/documents/run-file.ts';
import { AppError } from '#app/domain/errors.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import type { CommandCall } from '#app/engine/commands/command.ts';
import { defineStart } from '#app/engine/commands/runs/define-start.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { readDryData } from '#app/engine/workflows/read-dry-data.ts';

/** A workflow as the caller has read it. `versionId`: null for its draft, which is checked and frozen for this test. */
type Runnable = { id: string; name: string; versionId: string | null; document: WorkflowDocument };

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** Starts a run of a workflow: live of the published version, or a test of the current draft. */
export const startWorkflow = defineStart({
  permission: 'startRun',
  scope: 'runs:start',
  input: z.object({
    workflow: z.custom<Runnable>(isObject),
    mode: z.enum(['live', 'test']),
    input: z.custom<{ [name: string]: Json }>(isObject),
    requestKey: z.string().nullable(),
    triggerKind: z.string().default('manual'),
    /** Of a test: it calls nothing that writes. */
    dry: z.boolean().default(false),
  }),
  changes: ['quorate.versions', 'quorate.artifacts'],
  isSame: (run, { workflow, input }) =>
    run.artifactId === workflow.id && canonicalJson(withoutFileIds(run.input)) === canonicalJson(withoutFileIds(input)),
  async prepare(call, { workflow, mode, input, triggerKind, dry }) {
    const { id: artifactId, name, document } = workflow;
    if (dry && mode !== 'test') throw new AppError('invalid_input');
    const versionId = workflow.versionId ?? (await freezeDraft(call, workflow));
    return { artifactId, versionId, document, mode, input, name, triggerKind, trial: dry ? await readDryData(call.db, workflow) : null };
  },
});

/** The same content sent again is another upload of the same file. */
function withoutFileIds(input: Json): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const values = Object.entries(input).map(([name, value]): [string, Json] => {
    const file = runFileSchema.safeParse(value);
    return [name, file.success ? { ...file.data, file: '' } : value];
  });
  return Object.fromEntries(values);
}

async function freezeDraft({ db, principal, newId }: CommandCall, { id: artifactId, document }: Runnable): Promise<string> {
  const issues = checkWorkflow(document, await loadCatalogue(db, artifactId), parseExpression);
  if (issues.length > 0) throw new AppError('conflict', { message: 'draft has issues' });
  const { id: workspaceId } = principal.workspace;
  const { userId: authorId } = principal;
  const version = await freezeVersion(db, { id: newId(), workspaceId, artifactId, authorId, document, publish: false });
  return version.id;
}
