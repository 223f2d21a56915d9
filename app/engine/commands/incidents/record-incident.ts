import { sql } from 'kysely';
import { z } from 'zod';
import { HARMS, REGIMES, SEVERITIES, TEXT_MAX, TITLE_MAX, TOUCHED_MAX, touchedSchema } from '#app/domain/incidents/incident.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { clocksForDatabase, clocksOfIncident, notYetInForce } from '#app/engine/incidents/incident-clocks.ts';
import { INCIDENT_REFUSALS } from '#app/engine/incidents/incident-refusals.ts';

/** Judgement of an incident: how grave, what it did, when it was classified as to be reported, and by which laws. */
export const assessmentSchema = z.object({
  severity: z.enum(SEVERITIES),
  harm: z.enum(HARMS).nullable(),
  classifiedAt: z.date().nullable(),
  regimes: z.array(z.enum(REGIMES)).max(REGIMES.length),
});

/** Records an incident, by any member, and starts the clocks of the laws that apply. Result: its number in the workspace. */
export const recordIncident = defineCommand({
  permission: null,
  scope: null,
  input: assessmentSchema.extend({
    id: idSchema,
    title: z.string().trim().min(1).max(TITLE_MAX),
    happened: z.string().trim().min(1).max(TEXT_MAX),
    noticedAt: z.date(),
    touches: z.array(touchedSchema).max(TOUCHED_MAX),
  }),
  actions: ['incident.recorded'],
  changes: ['quorate.incidents', 'quorate.incident_clocks'],
  repeat: 'byId',
  refusals: INCIDENT_REFUSALS,
  async change({ db, now }, { id, ...incident }) {
    const { title, noticedAt, classifiedAt, harm, regimes, severity, touches } = incident;
    await requirePlausible({ noticedAt, classifiedAt, regimes }, now());
    const clocks = clocksForDatabase(await clocksOfIncident({ noticedAt, classifiedAt, harm }, regimes, {}));
    const { rows } = await sql<{ number: number }>`
      select quorate.record_incident(${id}, ${JSON.stringify(incident)}::jsonb, ${clocks}::jsonb) as number`.execute(db);
    const [row] = rows;
    if (row === undefined) throw new Error('record_incident answered nothing');
    const times = { noticedAt: noticedAt.toISOString(), classifiedAt: classifiedAt?.toISOString() ?? null };
    const resource = { kind: 'incident', id, name: title };
    return {
      result: { number: row.number },
      event: { action: 'incident.recorded', resource, payload: { number: row.number, severity, harm, regimes, ...times, touches } },
    };
  },
});

/** @throws Refusal beside the field: a time ahead of now, a classification before the awareness, or a law that did not apply then */
export async function requirePlausible(
  { noticedAt, classifiedAt, regimes }: Pick<z.output<typeof assessmentSchema>, 'classifiedAt' | 'regimes'> & { noticedAt: Date },
  now: Date,
): Promise<void> {
  if (noticedAt > now) throw refusal('invalid_input', 'incidentAhead', { field: 'noticed.local' });
  if (classifiedAt !== null && classifiedAt > now) throw refusal('invalid_input', 'incidentAhead', { field: 'classified.local' });
  if (classifiedAt !== null && classifiedAt < noticedAt) throw refusal('invalid_input', 'incidentOrder', { field: 'classified.local' });
  const early = await notYetInForce(regimes, noticedAt);
  if (early.length > 0) throw refusal('invalid_input', 'incidentEarly', { field: 'regimes' });
}
