import { sql } from 'kysely';
import { z } from 'zod';
import { REFERENCE_MAX, REGIMES, REPORT_STEPS, TEXT_MAX } from '#app/domain/incidents/incident.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { findIncident, incidentResource } from '#app/engine/incidents/find-incident.ts';
import { clocksForDatabase, clocksOfIncident, readSentReports } from '#app/engine/incidents/incident-clocks.ts';
import { INCIDENT_REFUSALS } from '#app/engine/incidents/incident-refusals.ts';

/** Records that a report went to the authority. Said again of the same report it corrects what was said, which stays. */
export const reportIncident = defineCommand({
  permission: 'handleIncident',
  scope: null,
  input: z.object({
    incident: idSchema,
    regime: z.enum(REGIMES),
    step: z.enum(REPORT_STEPS),
    sentAt: z.date(),
    reference: z.string().trim().max(REFERENCE_MAX),
    note: z.string().trim().max(TEXT_MAX),
  }),
  actions: ['incident.reported'],
  changes: ['quorate.incident_entries', 'quorate.incident_clocks'],
  repeat: 'repeats',
  refusals: INCIDENT_REFUSALS,
  async change({ db, newId, now }, { incident, regime, step, sentAt, reference, note }) {
    const row = await findIncident(db, incident);
    if (sentAt > now()) throw refusal('invalid_input', 'incidentAhead', { field: 'sent.local' });
    if (sentAt < row.noticed_at) throw refusal('invalid_input', 'incidentOrder', { field: 'sent.local' });
    const sent = await readSentReports(db, row.id);
    const corrects = sent[regime]?.[step] !== undefined;
    sent[regime] = { ...sent[regime], [step]: sentAt };
    const facts = { noticedAt: row.noticed_at, classifiedAt: row.classified_at, harm: row.harm };
    const all = await clocksOfIncident(facts, row.regimes, sent);
    const clocks = clocksForDatabase(all);
    await sql`select quorate.report_incident(${newId()}, ${row.id}, ${regime}, ${step}, ${sentAt}, ${reference}, ${note}, ${clocks}::jsonb)`.execute(
      db,
    );
    const due = all.find((clock) => clock.regime === regime && clock.step === step)?.due?.toISOString() ?? null;
    return {
      result: null,
      event: {
        action: 'incident.reported',
        resource: incidentResource(row),
        payload: { regime, step, sentAt: sentAt.toISOString(), due, reference, note, corrects },
      },
    };
  },
});
