import { sql } from 'kysely';
import { z } from 'zod';
import { TEXT_MAX } from '#app/domain/incidents/incident.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { findIncident, incidentResource } from '#app/engine/incidents/find-incident.ts';
import { INCIDENT_REFUSALS } from '#app/engine/incidents/incident-refusals.ts';

/** Closes an incident with its root cause, once every report was sent. */
export const closeIncident = defineCommand({
  permission: 'handleIncident',
  scope: null,
  input: z.object({ incident: idSchema, rootCause: z.string().trim().min(1).max(TEXT_MAX) }),
  actions: ['incident.closed'],
  changes: ['quorate.incidents', 'quorate.incident_entries'],
  repeat: 'refused',
  refusals: INCIDENT_REFUSALS,
  async change({ db, newId }, { incident, rootCause }) {
    const row = await findIncident(db, incident);
    await sql`select quorate.close_incident(${newId()}, ${row.id}, ${rootCause})`.execute(db);
    return { result: null, event: { action: 'incident.closed', resource: incidentResource(row), payload: { rootCause } } };
  },
});
