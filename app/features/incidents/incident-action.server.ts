import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import { type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { Touched } from '#app/domain/incidents/incident.ts';
import { can } from '#app/domain/people/roles.ts';
import { assessIncident } from '#app/engine/commands/incidents/assess-incident.ts';
import { closeIncident } from '#app/engine/commands/incidents/close-incident.ts';
import { noteIncident } from '#app/engine/commands/incidents/note-incident.ts';
import { recordIncident } from '#app/engine/commands/incidents/record-incident.ts';
import { reportIncident } from '#app/engine/commands/incidents/report-incident.ts';
import {
  assessSchema,
  closeSchema,
  INCIDENT_ACTS,
  type IncidentAct,
  noteSchema,
  recordSchema,
  reportSchema,
} from '#app/features/incidents/incident-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
const pageOf = (incident: string) => href('/dashboard/policies/compliance/incidents/:incident', { incident });

/** Records an incident and goes to it. */
export async function recordIncidentAction({ request, context }: { request: Request; context: Context }) {
  const parsed = await parseForm(request, recordSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { runs, agents, connections, noticed, classified, harm = null, ...value } = parsed.value;
  const found = await runsByNumber(context, runs);
  if (found === null) return invalidForm(parsed.reply, { fieldErrors: { runs: ['incidentRunUnknown'] } });
  const about = (kind: Touched['kind'], ids: readonly string[]) => ids.map((id) => ({ kind, id }));
  const touches = [...about('run', found), ...about('agent', agents), ...about('connection', connections)];
  try {
    await performAsMember(context, recordIncident, { ...value, harm, noticedAt: noticed, classifiedAt: classified, touches });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(pageOf(value.id), 'incidentRecorded');
}

/** Ids of the runs with these numbers; null: one of them is not there, or not for this member. */
async function runsByNumber(context: Context, numbers: readonly number[]): Promise<string[] | null> {
  if (numbers.length === 0) return [];
  const { member, read } = context.get(memberContext);
  const { rows } = await read((db) =>
    sql<{ id: string }>`select r.id from quorate.runs r where r.workspace_id = ${member.workspace.id}
      and r.number = any (${[...numbers]}::int[])`.execute(db),
  );
  return rows.length === numbers.length ? rows.map(({ id }) => id) : null;
}

type Acting = { request: Request; context: Context; params: { incident: string; act: string } };

/** The act that an address names, for whoever handles incidents. */
export function requireAct(context: Context, act: string): IncidentAct {
  const known = INCIDENT_ACTS.find((name) => name === act);
  if (known === undefined) throw data({ code: 'not_found' }, { status: 404 });
  if (!can(context.get(memberContext).member.roles, 'handleIncident')) throw data({ code: 'forbidden' }, { status: 403 });
  return known;
}

/** Does one act to an incident, and goes back to it. */
export async function incidentAction({ request, context, params: { incident, act } }: Acting) {
  const done = DONE[requireAct(context, act)];
  return done(request, context, incident);
}

const DONE: Record<IncidentAct, (request: Request, context: Context, incident: string) => Promise<unknown>> = {
  report: (request, context, incident) =>
    act(request, reportSchema, incident, ({ report: [regime, step], sent, ...said }) =>
      performAsMember(context, reportIncident, { incident, regime, step, sentAt: sent, ...said }),
    ),
  assess: (request, context, incident) =>
    act(request, assessSchema, incident, ({ classified, harm = null, ...value }) =>
      performAsMember(context, assessIncident, { incident, ...value, harm, classifiedAt: classified }),
    ),
  note: (request, context, incident) =>
    act(request, noteSchema, incident, ({ note }) => performAsMember(context, noteIncident, { incident, note })),
  close: (request, context, incident) =>
    act(request, closeSchema, incident, ({ rootCause }) => performAsMember(context, closeIncident, { incident, rootCause })),
};

async function act<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  incident: string,
  work: (value: z.output<Schema>) => Promise<unknown>,
) {
  const parsed = await parseForm(request, schema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    await work(parsed.value);
  } catch (error) {
    return refusedForm(parsed.reply satisfies FormReply, error);
  }
  return redirectWithNotice(pageOf(incident), 'incidentSaved');
}
