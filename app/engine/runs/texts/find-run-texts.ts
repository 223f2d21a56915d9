import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** Runs with the same words up to which the index names each of them. */
const MOST_INDEXED = 1_000;
/** Newest runs that are looked through at a time for words that more runs hold, or that are too short for the index. */
export const RUN_TEXTS_SEARCHED = 2_000;

/** `ids`: all runs of the member that hold the words. Null: it is to be asked of each run, a bounded number at a time. */
export type RunTextSearch = { ids: string[] | null; words: string };

/** How the runs that hold some words in their input, output or steps are best found. `words`: as `readSearchWords` returns them. */
export async function findRunTexts(db: Db, words: string): Promise<RunTextSearch> {
  const { rows } = await sql<{ ids: string[] | null }>`select quorate.find_run_texts(${words}, ${MOST_INDEXED}) as ids`.execute(db);
  return { ids: rows[0]?.ids ?? null, words };
}

/** Whether the run of this id holds the words, as the member may see its texts. */
export function holdsWords(runId: Expression<string>, { words }: RunTextSearch): Expression<SqlBool> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`exists (select from quorate.run_texts t where t.run_id = ${runId} and t.text ilike ${pattern})`;
}
