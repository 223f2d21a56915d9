import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { type ShownValue, valueCutter } from '#app/components/value/shown-value.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { cleanupOf } from '#app/domain/workflows/steps/cleanup-parts.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { type WorkflowDraft, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';
import { stepsNamedBy } from '#app/engine/workflows/read-test-data.ts';

/** Data that a step can be tested on. `value`: of the form. `missing`: names of the steps whose output it names and that have none there. */
type Source = { value: string; name: string | null; missing: string[] };
export type StepTest = {
  sources: Source[];
  /** Calls that the test really makes although they may change something; a null stands for whatever Quorate then chooses. */
  changes: (string | null)[];
  pin: { at: string; value: ShownValue } | null;
  /** The test that `?test=` names. `isSaved`: the step that was tested has the short name of the saved one, under which its output can be pinned. */
  result: { run: string; status: RunStatus; value: ShownValue | null; error: Explanation | null; isSaved: boolean } | null;
  /** The step that was tested, where it is not the saved one. */
  unsaved: Step | null;
  requestKey: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The value of the form that stands for the newest run. */
export const NEWEST_RUN = 'run';

/** All that the test of a step shows; null for a step that cannot be tested alone. */
export async function loadStepTest(
  db: Db,
  {
    draft,
    step,
    targets,
    url,
    requestKey,
  }: { draft: WorkflowDraft; step: Step; targets: readonly StepTarget[]; url: URL; requestKey: string },
): Promise<StepTest | null> {
  if (cleanupOf([step]) !== undefined) return null;
  const cut = valueCutter();
  const pins = await db
    .selectFrom('quorate.step_pins')
    .where('artifact_id', '=', draft.id)
    .select(['step_id', 'pinned_at', sql<Json>`case when step_id = ${step.id} then output end`.as('output')])
    .execute();
  const own = pins.find((pin) => pin.step_id === step.id);
  const { tested, result } = await readResult(db, draft, step, url.searchParams.get('test'), cut);
  const newest = await readNewestSteps(db, draft.id);
  const pinned = pins.map((pin) => pin.step_id);
  const needed = stepsNamedBy(step);
  const names = new Map([...walkSteps(draft.document.steps)].map((one) => [one.step.id, one.step.name]));
  const missingFrom = (known: readonly string[]) => needed.filter((id) => !known.includes(id)).map((id) => names.get(id) ?? id);
  const samples = (draft.document.samples ?? []).map(({ name }, index) => ({ value: String(index), name, missing: missingFrom(pinned) }));
  const ofRun = { value: NEWEST_RUN, name: null, missing: missingFrom([...pinned, ...(newest ?? [])]) };
  return {
    sources: newest === null ? samples : [ofRun, ...samples],
    changes: changesOf(step, targets),
    pin: own === undefined ? null : { at: own.pinned_at.toISOString(), value: cut.json(own.output) },
    result,
    unsaved: tested === null || isDeepStrictEqual(tested, step) ? null : tested,
    requestKey,
  };
}

async function readNewestSteps(db: Db, workflow: string): Promise<string[] | null> {
  const { rows } = await sql<{ ids: string[] }>`
    select array(select s.step_id from quorate.steps s
        where s.run_id = r.id and s.within is null and s.item_index is null and s.status = 'success') as ids
    from quorate.runs r where r.artifact_id = ${workflow} and r.status in ('completed', 'failed') and r.trial is null
    order by r.created_at desc, r.id desc limit 1`.execute(db);
  return rows[0]?.ids ?? null;
}

function changesOf(step: Step, targets: readonly StepTarget[]): StepTest['changes'] {
  const found = [...walkSteps([step])].flatMap(({ step: inner }) => {
    if (!('capability' in inner) && !('workflow' in inner)) return [];
    const [connection, capability] = 'capability' in inner ? [inner.connection, inner.capability] : [null, inner.workflow];
    const target = targets.find((one) => one.capability === capability && (connection === null || one.connection === connection));
    if (target === undefined || capability === null) return [null];
    return target.effect === 'reads' ? [] : [target.title];
  });
  return [...new Set(found)];
}

type Tested = { tested: Step | null; result: StepTest['result'] };

async function readResult(
  db: Db,
  { id: workflow, document }: WorkflowDraft,
  step: Step,
  run: string | null,
  cut: ReturnType<typeof valueCutter>,
): Promise<Tested> {
  const none = { tested: null, result: null };
  if (run === null || !UUID.test(run)) return none;
  const row = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .where('r.id', '=', run)
    .where('r.artifact_id', '=', workflow)
    .where(sql<boolean>`r.trial ->> 'kind' = 'step'`)
    .select(['r.status', 'r.output', 'r.error', 'v.document'])
    .executeTakeFirst();
  const [tested] = row === undefined ? [] : workflowDocumentSchema.parse(row.document).steps;
  if (row === undefined || tested?.kind !== step.kind) return none;
  // Of another step of the draft, it is no test of this one.
  if (tested.id !== step.id && [...walkSteps(document.steps)].some((one) => one.step.id === tested.id)) return none;
  const value = row.status === 'completed' ? cut.json(row.output) : null;
  return { tested, result: { run, status: row.status, value, error: row.error as Explanation | null, isSaved: tested.id === step.id } };
}
