import { type SqlBool, sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { sayShipped } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import type { PartialTexts } from '#app/features/runs/writing/partial-text.ts';

/** More than these are written at once only inside loops. */
const MOST = 5;

/**
 * The texts that steps of a run are writing, as far as the reader may see the run: of steps under way alone, the newest first. `within`: of the
 * steps of this item of a loop; empty: of all.
 */
export async function loadPartialTexts(
  context: Readonly<RouterContextProvider>,
  db: Db,
  runId: string,
  within = '',
): Promise<PartialTexts> {
  const at = context.get(servicesContext).now().getTime();
  const rows = await db
    .selectFrom('quorate.partial_texts as p')
    .innerJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'p.run_id').onRef('s.path', '=', 'p.path'))
    .where('p.run_id', '=', runId)
    .where('s.status', '=', 'processing')
    .$if(within !== '', (query) => query.where(sql<SqlBool>`starts_with(p.path, ${`${within}/`})`))
    .select(['p.path', 's.name', 'p.begun_at', 'p.chars', 'p.text'])
    .orderBy('p.begun_at', 'desc')
    .limit(MOST)
    .execute();
  const say = sayShipped(context);
  const texts = rows.map(({ path, name, begun_at, chars, text }) => ({
    path,
    name: say(name),
    begun: begun_at.getTime(),
    chars,
    text: text === null ? null : visibleText(text),
  }));
  return { at, texts };
}

/** Of a run or an item that writes nothing now. */
export function noPartialTexts(context: Readonly<RouterContextProvider>): PartialTexts {
  return { at: context.get(servicesContext).now().getTime(), texts: [] };
}

/** Has the texts of a run written for the next minute. Without them a page only shows less, so that a failure is no fault of it. */
export async function askForTexts(context: Readonly<RouterContextProvider>, run: RunRef): Promise<void> {
  const { engine, log } = context.get(servicesContext);
  try {
    await engine.askPartialTexts(run);
  } catch (error) {
    log.warn('texts under way were not asked for', { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
  }
}
