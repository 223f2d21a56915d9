import type { Engine } from '#app/contracts/engine.ts';
import type { Log, NewId } from '#app/contracts/ports.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { SAMPLE_RUNS, type SampleAct, type SampleRun } from '#app/domain/demo/sample-runs.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { decideApproval } from '#app/engine/commands/approvals/decide-approval.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { cancelRun } from '#app/engine/commands/runs/cancel-run.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import type { DemoDoors, DemoPerson } from '#app/engine/demo/demo-seed.ts';
import type { DemoTexts } from '#app/engine/demo/seed-demo-workflows.ts';

/** `prove`: that it is them, for a vote on this approval. */
type Actor = DemoPerson & DemoDoors & { prove(approval: string): Promise<void>; end(): Promise<void> };

export type DemoRunsWorld = {
  workspaceId: string;
  /** Signs in with the password of the first start. Null where the person has chosen another one since. */
  signIn(role: 'builder' | 'approver'): Promise<Actor | null>;
  engine: Pick<Engine, 'enqueueRun' | 'admitRun' | 'watchRun' | 'sealer'>;
  texts: DemoTexts;
  newId: NewId;
  now(): Date;
  log: Log;
  /** Rejects when the process ends. */
  stopped: Promise<never>;
};

type Vote = Exclude<SampleAct, { kind: 'cancel' }>;
type Rest = { runId: string; approval: { id: string; digest: string; risk: string; quorum: number } | null };

/**
 * Starts the sample runs of the demo as its builder, decides as its approver, and waits until each has come to rest. Whatever stands is
 * left as it is, so that a start that was killed is continued by the next one. Returns early where someone has taken the account for
 * themselves.
 */
export async function seedDemoRuns(world: DemoRunsWorld): Promise<void> {
  const builder = await world.signIn('builder');
  if (builder === null) return;
  try {
    for (const sample of SAMPLE_RUNS) await makeSample(world, builder, sample);
  } finally {
    await builder.end();
  }
}

async function makeSample(world: DemoRunsWorld, builder: Actor, sample: SampleRun): Promise<void> {
  const runId = await startSample(world, builder, sample);
  if (runId === null) return;
  const rest = await untilAtRest(world, builder, runId);
  if (rest.approval === null || sample.act === undefined) return;
  if (await act(world, builder, rest, sample.act)) await untilAtRest(world, builder, runId, true);
}

/** Null where the workflow is not what the demo has made: paused, deleted or renamed by a person, or the workspace is halted. */
async function startSample(world: DemoRunsWorld, builder: Actor, { key, template, input }: SampleRun): Promise<string | null> {
  const { texts, log } = world;
  try {
    const workflow = await builder.read((db) =>
      db
        .selectFrom('quorate.artifacts as a')
        .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
        .where('a.kind', '=', 'workflow')
        .where('a.name', '=', texts[template].name)
        .where('a.deleted_at', 'is', null)
        .select(['a.id', 'a.name', 'v.id as versionId', 'v.document'])
        .executeTakeFirst(),
    );
    if (workflow === undefined) throw new AppError('not_found');
    const runnable = { ...workflow, document: workflowDocumentSchema.parse(workflow.document) };
    const start = { workflow: runnable, mode: 'live', input, requestKey: key } as const;
    const { runId } = await perform(startWorkflow, principalOf(world, builder), world, start);
    return runId;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    log.info('a sample run of the demo was left out', { sample: key, code: error.code });
    return null;
  }
}

function principalOf({ workspaceId }: DemoRunsWorld, { userId, name, roles, read, change }: Actor): Principal {
  return { workspace: { id: workspaceId, name: '' }, userId, name, roles, scopes: null, read, change };
}

/** Waits until the run has ended, or waits for a decision. `ended`: for its end alone. */
async function untilAtRest(world: DemoRunsWorld, { read }: Actor, runId: string, ended = false): Promise<Rest> {
  let wake: () => void = () => undefined;
  const forget = world.engine.watchRun({ runId, workspaceId: world.workspaceId }, () => wake());
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const rest = await read(async (db): Promise<Rest | null> => {
        const run = await db.selectFrom('quorate.runs').select('status').where('id', '=', runId).executeTakeFirst();
        if (run === undefined || isTerminalRunStatus(run.status)) return { runId, approval: null };
        if (ended || run.status !== 'waiting') return null;
        const approval = await db
          .selectFrom('quorate.approvals')
          .select(['id', 'action_digest as digest', 'risk', 'quorum'])
          .where('run_id', '=', runId)
          .where('status', '=', 'pending')
          .executeTakeFirst();
        return approval === undefined ? null : { runId, approval };
      });
      if (rest !== null) return rest;
      await Promise.race([changed, world.stopped]);
    }
  } finally {
    forget();
  }
}

/** Returns false where a person has acted before, or has taken the approver's account: the run is theirs. */
async function act(world: DemoRunsWorld, builder: Actor, rest: Rest, sampleAct: SampleAct): Promise<boolean> {
  try {
    if (sampleAct.kind !== 'cancel') return await vote(world, rest, sampleAct);
    await perform(cancelRun, principalOf(world, builder), world, { run: rest.runId });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return false;
    throw error;
  }
}

/** Signs in for each vote: the password that a high risk asks for is given with the vote itself. */
async function vote(world: DemoRunsWorld, { approval }: Rest, { kind, reason }: Vote): Promise<boolean> {
  const approver = approval === null ? null : await world.signIn('approver');
  if (approval === null || approver === null) return false;
  try {
    const { id: approvalId, digest, risk, quorum } = approval;
    if (risk === 'high') await approver.prove(approvalId);
    const decision = { approval: approvalId, vote: kind, reason, digest, facts: { risk, quorum } };
    await perform(decideApproval, principalOf(world, approver), world, decision);
    return true;
  } finally {
    await approver.end();
  }
}
