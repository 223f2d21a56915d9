import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { Scope } from '#app/engine/runs/expressions/evaluate.ts';

/** Data for a step's expressions. `from`: where the input is from; `pinned`: ids of the steps whose output an author pinned. */
export type SampleScope = Scope & { [name: string]: Json } & { run: Scope['run'] };
export type SampleData = { from: 'run' | 'sample'; run: string | null; pinned: string[]; scope: SampleScope };

/** Larger values are not read for a preview, and those that are stored as more are not even unpacked. */
const SAMPLED_BYTES = 20_000;
const isShort = (column: string) =>
  sql<boolean>`case when pg_column_size(${sql.ref(column)}) <= ${SAMPLED_BYTES} then octet_length(${sql.ref(column)}::text) <= ${SAMPLED_BYTES} else false end`;

type Wanted = {
  /** Of the workflow's samples the one at this index, instead of the newest run. */
  sample?: number;
  /** The steps whose outputs are read whole; without it all, as far as they are short. */
  steps?: readonly string[];
};

/**
 * The data that a step at `path` of a draft has to hand: that of the newest ended run that the member sees (its input, the outputs outside
 * loops, and the first item of the loop around the step), or a sample. Pinned outputs come before those of the run. Null: there is no such run,
 * and neither a sample nor a pinned output.
 */
export async function readSampleData(
  db: Db,
  draft: Pick<WorkflowDraft, 'id' | 'document'>,
  path: string,
  wanted: Wanted = {},
): Promise<SampleData | null> {
  const pins = await readPins(db, draft.id, wanted.steps);
  const pinned = Object.keys(pins);
  const newest = wanted.sample === undefined ? await readNewestRun(db, draft, path, wanted.steps) : null;
  if (newest !== null) {
    const scope = { ...newest, steps: { ...newest.steps, ...pins } };
    return { from: 'run', run: newest.run.id, pinned, scope };
  }
  const sample = draft.document.samples?.[wanted.sample ?? 0];
  if (sample === undefined && (wanted.sample !== undefined || pinned.length === 0)) return null;
  const run = { id: 'sample', mode: 'test', startedAt: new Date().toISOString() };
  return { from: 'sample', run: null, pinned, scope: { run, input: sample?.input ?? {}, steps: pins } };
}

async function readPins(db: Db, workflow: string, steps: readonly string[] | undefined): Promise<{ [step: string]: Json }> {
  let pins = db.selectFrom('quorate.step_pins').where('artifact_id', '=', workflow).select(['step_id', 'output']);
  if (steps === undefined) pins = pins.where(isShort('output'));
  else if (steps.length === 0) return {};
  else pins = pins.where('step_id', 'in', steps);
  return Object.fromEntries((await pins.execute()).map((pin) => [pin.step_id, pin.output]));
}

async function readNewestRun(
  db: Db,
  { id, document }: Pick<WorkflowDraft, 'id' | 'document'>,
  path: string,
  steps: readonly string[] | undefined,
): Promise<SampleScope | null> {
  const loop = [...walkSteps(document.steps)].findLast((one) => STEP_RULES[one.step.kind].repeats && path.startsWith(`${one.path}/`));
  const read = steps === undefined ? isShort('s.output') : sql<boolean>`s.step_id = any(${steps}::text[])`;
  const { rows } = await sql<Pick<Scope, 'run' | 'input' | 'steps'> & { item: Json }>`
    select json_build_object('id', r.id, 'mode', r.mode, 'startedAt', r.created_at) as run, r.input, (
        select coalesce(json_object_agg(s.step_id, s.output), '{}') from quorate.steps s
        where s.run_id = r.id and s.within is null and s.item_index is null and s.status = 'success' and ${read}) as steps,
      (select s.input -> 'items' -> 0 from quorate.steps s where s.run_id = r.id and s.path = ${loop?.path ?? ''}
        and ${isShort('s.input')}) as item
    from quorate.runs r where r.artifact_id = ${id} and r.status in ('completed', 'failed') and r.trial is null
    order by r.created_at desc, r.id desc limit 1`.execute(db);
  const [newest] = rows;
  if (newest === undefined) return null;
  const { item, ...scope } = newest;
  return loop === undefined || item === null ? scope : { ...scope, item, index: 0 };
}
