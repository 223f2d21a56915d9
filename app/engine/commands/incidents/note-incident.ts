import { sql } from 'kysely';
import { z } from 'zod';
import { TEXT_MAX } from '#app/domain/incidents/incident.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { findIncident, incidentResource } from '#app/engine/incidents/find-incident.ts';
import { INCIDENT_REFUSALS } from '#app/engine/incidents/incident-refusals.ts';

/** Adds a note to an incident's history, of a closed one too. */
export const noteIncident = defineCommand({
  permission: 'handleIncident',
  scope: null,
  input: z.object({ incident: idSchema, note: z.string().trim().min(1).max(TEXT_MAX) }),
  actions: ['incident.noted'],
  changes: ['quorate.incident_entries'],
  repeat: 'repeats',
  refusals: INCIDENT_REFUSALS,
  async change({ db, newId }, { incident, note }) {
    const row = await findIncident(db, incident);
    await sql`select quorate.note_incident(${newId()}, ${row.id}, ${note})`.execute(db);
    return { result: null, event: { action: 'incident.noted', resource: incidentResource(row), payload: { note } } };
  },
});
