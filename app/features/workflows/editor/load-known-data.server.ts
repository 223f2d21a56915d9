import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type KnownGroup, type KnownValue, knownAt, memberAt } from '#app/domain/workflows/mappings/known-data.ts';
import { STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import { type WorkflowDraft, walkSteps } from '#app/domain/workflows/workflow.ts';
import type { Scope } from '#app/engine/runs/expressions/evaluate.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';

type Sampled = KnownValue & { sample: string | null };
/** All that a step's expressions may name, with the values of the newest run that the member sees. `run`: that run; null: there is none. */
export type KnownData = { run: string | null; groups: (Omit<KnownGroup, 'values'> & { name?: string; values: Sampled[] })[] };

const SAMPLE_CHARACTERS = 120;
/** Larger values are not read, and those that are stored as more are not even unpacked. */
const SAMPLED_BYTES = 20_000;
const isShort = (column: string) =>
  sql<boolean>`case when pg_column_size(${sql.ref(column)}) <= ${SAMPLED_BYTES} then octet_length(${sql.ref(column)}::text) <= ${SAMPLED_BYTES} else false end`;

export async function loadKnownData(db: Db, draft: WorkflowDraft, path: string, targets: readonly StepTarget[]): Promise<KnownData> {
  const scope = await readSampleScope(db, draft, path);
  return {
    run: scope?.run.id ?? null,
    groups: knownAt(draft.document, path, targets).map((group) => ({
      ...group,
      values: group.values.map((value) => {
        const found = scope === null ? undefined : memberAt(scope, value.at);
        return { ...value, sample: found === undefined ? null : sampleOf(found, SAMPLE_CHARACTERS) };
      }),
    })),
  };
}

/**
 * The data that the newest ended run of a workflow had for a step at `path`: its input, the outputs outside loops, and the first item of the
 * loop around the step. Null: the member sees no such run.
 */
export async function readSampleScope(
  db: Db,
  { id, document }: WorkflowDraft,
  path: string,
): Promise<(Scope & { [name: string]: Json }) | null> {
  const loop = [...walkSteps(document.steps)].findLast((one) => STEP_RULES[one.step.kind].repeats && path.startsWith(`${one.path}/`));
  const { rows } = await sql<Pick<Scope, 'run' | 'input' | 'steps'> & { item: Json }>`
    select json_build_object('id', r.id, 'mode', r.mode, 'startedAt', r.created_at) as run, r.input, (
        select coalesce(json_object_agg(s.step_id, s.output), '{}') from quorate.steps s
        where s.run_id = r.id and s.within is null and s.item_index is null and s.status = 'success'
          and ${isShort('s.output')}) as steps,
      (select s.input -> 'items' -> 0 from quorate.steps s where s.run_id = r.id and s.path = ${loop?.path ?? ''}
        and ${isShort('s.input')}) as item
    from quorate.runs r where r.artifact_id = ${id} and r.status in ('completed', 'failed')
    order by r.created_at desc, r.id desc limit 1`.execute(db);
  const [newest] = rows;
  if (newest === undefined) return null;
  const { item, ...scope } = newest;
  return loop === undefined || item === null ? scope : { ...scope, item, index: 0 };
}

/** A value in one line of at most so many characters. */
export function sampleOf(value: Json, characters: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
