import { href, type RouterContextProvider, redirect } from 'react-router';
import { FREE_ROWS } from '#app/domain/control/evidence-export.ts';
import type { EvidenceExport, EvidenceList } from '#app/domain/control/evidence-export-schema.ts';
import { exportQuery } from '#app/domain/control/export-query.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { ASK_FIRST, takeEvidence } from '#app/engine/commands/evidence/take-evidence.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

/**
 * Records that a file of an export leaves, before it does. Whoever has not asked yet, or has taken it already, is sent to where one asks.
 * `part`: its name in the export, `file`: the name under which it leaves.
 */
export async function takeOrAsk(context: Context, taken: { export: EvidenceExport; part: string; file: string }): Promise<void> {
  try {
    await performAsMember(context, takeEvidence, taken);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reasons[0]?.key !== ASK_FIRST) throw error;
    throw redirect(`${href('/dashboard/audit/export')}?${exportQuery(taken.export)}`, 303);
  }
}

/** The same of a table of what everybody did, where it holds more than a page. Answers whether it was taken by agreement or alone. */
export async function takeTable(context: Context, list: EvidenceList, url: URL, rows: number): Promise<boolean> {
  if (rows <= FREE_ROWS) return false;
  const filter = url.searchParams.toString();
  await takeOrAsk(context, { export: { kind: 'table', list, filter }, part: 'table', file: `${list}.csv` });
  return true;
}
