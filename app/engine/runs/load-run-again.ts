import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type RunTrial, runTrialSchema } from '#app/contracts/run-trial.ts';
import { AppError } from '#app/domain/errors.ts';
import { type ForkPlan, planFork } from '#app/domain/runs/run-fork.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { type Resumed, readResumed } from '#app/engine/runs/read-resumed.ts';

export type RunAgain = {
  runId: string;
  mode: 'live' | 'test';
  workflow: { id: string; name: string; paused: boolean };
  versionId: string;
  version: number | null;
  document: WorkflowDocument;
  input: { [name: string]: Json };
  /** The step it continues from; null: from the beginning. */
  step: { path: string; name: string } | null;
  plan: ForkPlan;
  resumed: Resumed | null;
  trial: RunTrial | null;
};

/**
 * The plan for starting an ended run again: with its input, from the beginning in the published version (a test run: in the version that it
 * had), or from a step in the version that it had, with what was done before the step kept. `changed`: with other data, so that what was done
 * beside it is done again.
 * @throws AppError not_found, also for a step that the run never came to; conflict while the run is under way
 */
export async function loadRunAgain(db: Db, runId: string, path: string | null, changed = false): Promise<RunAgain> {
  const run = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .innerJoin('quorate.versions as v', (join) =>
      path === null
        ? join.on((eb) =>
            eb(
              'v.id',
              '=',
              eb.case().when('r.mode', '=', 'live').then(eb.ref('a.published_version_id')).else(eb.ref('r.version_id')).end(),
            ),
          )
        : join.onRef('v.id', '=', 'r.version_id'),
    )
    .where('r.id', '=', runId)
    .where('a.deleted_at', 'is', null)
    .select([
      'r.mode',
      'r.status',
      'r.input',
      'r.trial',
      'a.id',
      'a.name',
      'a.status as workflow_status',
      'v.id as version_id',
      'v.number',
      'v.document',
    ])
    .executeTakeFirst();
  if (run === undefined) throw new AppError('not_found');
  if (!isTerminalRunStatus(run.status)) throw new AppError('conflict', { values: { what: 'underWay' } });
  const document = workflowDocumentSchema.parse(run.document);
  const journal =
    path === null ? [] : await db.selectFrom('quorate.steps').where('run_id', '=', runId).select(['path', 'status']).execute();
  const plan = planFork(document, new Map(journal.map((step) => [step.path, step.status])), path, changed);
  if (plan === null) throw new AppError('not_found');
  const step = [...walkSteps(document.steps)].find((candidate) => candidate.path === path);
  return {
    runId,
    mode: run.mode,
    workflow: { id: run.id, name: run.name, paused: run.workflow_status !== 'active' },
    versionId: run.version_id,
    version: run.number,
    document,
    input: run.input as { [name: string]: Json },
    step: step === undefined || path === null ? null : { path, name: step.step.name },
    plan,
    resumed:
      path === null || changed
        ? null
        : await readResumed(db, runId, path, step !== undefined && 'version' in step.step ? step.step.version : null),
    trial: run.trial === null ? null : runTrialSchema.parse(run.trial),
  };
}
