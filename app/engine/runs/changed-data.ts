import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { AppError } from '#app/domain/errors.ts';
import { refusal } from '#app/domain/refusal.ts';
import type { DataChange, DataPlace } from '#app/domain/runs/run-fork.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { structuralValidator } from '#app/engine/mcp/output-validator.ts';
import type { RunAgain } from '#app/engine/runs/load-run-again.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import { isRevisited } from '#app/engine/runs/steps/step-runners.ts';

export type DataChoice = DataPlace & { name: string };
/** `schema`: of the capability that takes or gives it. */
export type ChangeableData = DataChoice & { value: Json; schema: Json | null };
/** Characters of JSON that can be changed by hand: more is not brought back by a form. */
export const CHANGED_DATA_MAX = 100_000;

/**
 * The data that may be changed: the input of the step where it calls something, then earlier results, the nearest first. A step that is entered
 * again although it has ended makes its result anew from the steps inside it.
 */
export async function listChangeable(db: Db, { runId, document, step, plan }: RunAgain): Promise<DataChoice[]> {
  if (step === null) return [];
  const steps = new Map([...walkSteps(document.steps)].map((one) => [one.path, one.step]));
  const rows = await db
    .selectFrom('quorate.steps')
    .where('run_id', '=', runId)
    .where('path', 'in', [step.path, ...plan.kept])
    .select(['path', 'status', 'capability_id'])
    .select([
      sql<boolean>`coalesce(json_typeof(input) = 'object' and length(input::text) <= ${CHANGED_DATA_MAX}, false)`.as('hasInput'),
      sql<boolean>`coalesce(length(output::text), 4) <= ${CHANGED_DATA_MAX}`.as('fits'),
    ])
    .execute();
  const known = new Map(rows.map((row) => [row.path, row]));
  const own = known.get(step.path);
  const results = plan.kept.toReversed().filter((path) => {
    const [kept, row] = [steps.get(path), known.get(path)];
    return kept !== undefined && row?.status === 'success' && row.fits && !isRevisited(kept.kind);
  });
  return [
    ...(own?.hasInput === true && own.capability_id !== null ? [{ path: step.path, part: 'input' as const, name: step.name }] : []),
    ...results.map((path) => ({ path, part: 'output' as const, name: steps.get(path)?.name ?? path })),
  ];
}

/** The data at one of these places. @throws AppError not_found for any other place */
export async function readChangeable(db: Db, again: RunAgain, { path, part }: DataPlace): Promise<ChangeableData> {
  const choice = (await listChangeable(db, again)).find((one) => one.path === path && one.part === part);
  if (choice === undefined) throw new AppError('not_found');
  const row = await db
    .selectFrom('quorate.steps as s')
    .leftJoin('quorate.capabilities as c', 'c.id', 's.capability_id')
    .where('s.run_id', '=', again.runId)
    .where('s.path', '=', path)
    .select(['s.input', 's.output', 'c.input_schema', 'c.output_schema'])
    .executeTakeFirstOrThrow();
  return part === 'input'
    ? { ...choice, value: row.input as Json, schema: row.input_schema as Json | null }
    : { ...choice, value: (row.output ?? null) as Json, schema: row.output_schema as Json | null };
}

/** Reads what was typed in place of the data. @throws Refusal at `data`: no JSON, too long, the same, or not as the schema has it */
export function readChange(given: ChangeableData, text: string): DataChange {
  const value = parseJson(text);
  if (given.part === 'input' && (typeof value !== 'object' || value === null || Array.isArray(value))) throw refuse('dataNoObject');
  const refused = given.schema === null ? null : structuralValidator.getValidator(given.schema as object)(value);
  if (refused !== null && !refused.valid)
    throw refuse('dataSchema', {
      detail: refused.errorMessage
        .replaceAll(/\bdata(?=[/ ])/g, '')
        .trim()
        .slice(0, 300),
    });
  const [before, after] = [digestOf(given.value), digestOf(value)];
  if (before === after) throw refuse('dataSame');
  return { path: given.path, part: given.part, value, before, after };
}

function parseJson(text: string): Json {
  if (text.length > CHANGED_DATA_MAX) throw refuse('tooLong', { maximum: CHANGED_DATA_MAX });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw refuse('dataJson', { detail: error instanceof SyntaxError ? error.message.slice(0, 200) : '' });
  }
  // neither has a place in the database's JSON
  if (/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(value))) throw refuse('invalid');
  return value;
}

const refuse = (key: string, values: Record<string, string | number> = {}) => refusal('invalid_input', key, { field: 'data', values });
