import type { Db } from '#app/contracts/db.ts';
import { type Clock, clocksOf, type IncidentFacts, type SentAt } from '#app/domain/incidents/clocks.ts';
import type { Regime, ReportStepId } from '#app/domain/incidents/incident.ts';
import { loadRegimes } from '#app/engine/compliance/incident-regimes.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';

/** When each report was sent, by regime. */
export type SentReports = Partial<Record<Regime, SentAt>>;

/** The clocks of an incident in the order in which they are shown, with the law and the article of each as messages cite them. */
export async function clocksOfIncident(
  facts: IncidentFacts,
  regimes: readonly Regime[],
  sent: SentReports,
): Promise<(Clock & { cited: string })[]> {
  const [rules, { laws }] = await Promise.all([loadRegimes(), loadLaws()]);
  return regimes.flatMap((regime) => {
    const { law, steps } = rules[regime];
    const name = laws.find(({ id }) => id === law)?.name ?? law;
    return clocksOf(regime, steps, facts, sent[regime] ?? {}).map((clock) => ({ ...clock, cited: `${name}, ${clock.article}` }));
  });
}

/** The same as `quorate.put_incident_clocks` takes it. */
export const clocksForDatabase = (clocks: readonly (Clock & { cited: string })[]) =>
  JSON.stringify(clocks.map(({ regime, step, cited, due, near, sent }) => ({ regime, step, cited, due, near, sent })));

/** Regimes whose clocks did not run yet when the incident was noticed. */
export async function notYetInForce(regimes: readonly Regime[], noticedAt: Date): Promise<Regime[]> {
  const rules = await loadRegimes();
  return regimes.filter((regime) => rules[regime].from > noticedAt.toISOString().slice(0, 10));
}

/** When each report of an incident was sent: the last entry of a report counts. */
export async function readSentReports(db: Db, incident: string): Promise<SentReports> {
  const rows = await db
    .selectFrom('quorate.incident_entries')
    .where('incident_id', '=', incident)
    .where('kind', '=', 'reported')
    .orderBy('made_at')
    .orderBy('id')
    .select(['regime', 'step', 'sent_at'])
    .execute();
  const sent: SentReports = {};
  for (const { regime, step, sent_at } of rows) {
    if (regime === null || step === null || sent_at === null) continue;
    sent[regime] = { ...sent[regime], [step satisfies ReportStepId]: sent_at };
  }
  return sent;
}
