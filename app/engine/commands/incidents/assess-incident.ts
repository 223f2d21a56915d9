import { sql } from 'kysely';
import { z } from 'zod';
import { REGIMES, TEXT_MAX } from '#app/domain/incidents/incident.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { assessmentSchema, requirePlausible } from '#app/engine/commands/incidents/record-incident.ts';
import { findIncident, incidentResource } from '#app/engine/incidents/find-incident.ts';
import { clocksForDatabase, clocksOfIncident, readSentReports } from '#app/engine/incidents/incident-clocks.ts';
import { INCIDENT_REFUSALS } from '#app/engine/incidents/incident-refusals.ts';

/** Judges an incident anew, with a reason: its clocks follow, and what stood before stays in its history. */
export const assessIncident = defineCommand({
  permission: 'handleIncident',
  scope: null,
  input: assessmentSchema.extend({ incident: idSchema, note: z.string().trim().min(1).max(TEXT_MAX) }),
  actions: ['incident.assessed'],
  changes: ['quorate.incidents', 'quorate.incident_entries', 'quorate.incident_clocks'],
  repeat: 'repeats',
  refusals: INCIDENT_REFUSALS,
  async change({ db, newId, now }, { incident, note, ...given }) {
    const row = await findIncident(db, incident);
    // One order, whatever the form's: equal judgements are equal.
    const after = { ...given, regimes: REGIMES.filter((regime) => given.regimes.includes(regime)) };
    await requirePlausible({ ...after, noticedAt: row.noticed_at }, now());
    const facts = { noticedAt: row.noticed_at, classifiedAt: after.classifiedAt, harm: after.harm };
    const clocks = clocksForDatabase(await clocksOfIncident(facts, after.regimes, await readSentReports(db, row.id)));
    await sql`select quorate.assess_incident(${newId()}, ${row.id}, ${JSON.stringify(after)}::jsonb, ${note}, ${clocks}::jsonb)`.execute(
      db,
    );
    const before = { severity: row.severity, harm: row.harm, classifiedAt: iso(row.classified_at), regimes: row.regimes };
    return {
      result: null,
      event: {
        action: 'incident.assessed',
        resource: incidentResource(row),
        payload: { before, after: { ...after, classifiedAt: iso(after.classifiedAt) }, note },
      },
    };
  },
});

const iso = (at: Date | null) => at?.toISOString() ?? null;
