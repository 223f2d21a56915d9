import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { nextTimes, parseCron } from '#app/domain/workflows/cron.ts';
import { scheduleSettingsSchema } from '#app/engine/triggers/run-schedules.ts';

type Context = Readonly<RouterContextProvider>;
const SHOWN_TIMES = 5;
const SHOWN_TRIGGERS = 200;
const OFFERED_WORKFLOWS = 500;

/** Why a trigger last started nothing; a key `refusal.<it>` of the namespace `triggers`. */
const REFUSALS = ['paused', 'halted', 'quota_exceeded', 'invalid_input', 'conflict'] as const;

export type TriggerRow = {
  id: string;
  name: string;
  kind: 'schedule' | 'webhook';
  enabled: boolean;
  workflow: { id: string; name: string; active: boolean };
  /** The publisher, in whose name runs start; null: no member any longer, so the trigger starts nothing. */
  publisher: string | null;
  cron: string | null;
  timeZone: string | null;
  nextTimes: string[];
  address: string | null;
  lastAt: string | null;
  lastRunId: string | null;
  refusal: (typeof REFUSALS)[number] | 'other' | null;
};

/** The member, who must author workflows: 403 otherwise, as the database would refuse. */
export function requireAuthor(context: Context) {
  const access = context.get(memberContext);
  if (!can(access.member.roles, 'authorWorkflow')) throw data({ code: 'forbidden' }, { status: 403 });
  return access;
}

/** The workspace's schedules and webhooks, newest first, each with its next times. */
export async function loadTriggers(context: Context): Promise<{ triggers: TriggerRow[] }> {
  const { read, member } = requireAuthor(context);
  const { now, origin } = context.get(servicesContext);
  const rows = await read((db) =>
    db
      .selectFrom('quorate.triggers as t')
      .innerJoin('quorate.artifacts as a', 'a.id', 't.artifact_id')
      .leftJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
      .leftJoin('quorate.members as m', (join) =>
        join.onRef('m.workspace_id', '=', 't.workspace_id').onRef('m.user_id', '=', 'v.author_id'),
      )
      .where('t.workspace_id', '=', member.workspace.id)
      .where('t.kind', 'in', ['schedule', 'webhook'])
      .where('a.deleted_at', 'is', null)
      .select(['t.id', 't.name', 't.kind', 't.enabled', 't.settings', 't.next_at', 't.last_at', 't.last_run_id', 't.last_refusal'])
      .select(['a.id as workflow_id', 'a.name as workflow_name', 'a.status', 'm.name as publisher'])
      .orderBy('t.created_at', 'desc')
      .orderBy('t.id')
      .limit(SHOWN_TRIGGERS)
      .execute(),
  );
  const triggers = rows.map((row): TriggerRow => {
    const settings = row.kind === 'schedule' ? scheduleSettingsSchema.safeParse(row.settings).data : undefined;
    const cron = settings === undefined ? null : parseCron(settings.cron);
    const started = now();
    return {
      id: row.id,
      name: row.name,
      kind: row.kind === 'schedule' ? 'schedule' : 'webhook',
      enabled: row.enabled,
      workflow: { id: row.workflow_id, name: row.workflow_name, active: row.status === 'active' },
      publisher: row.publisher,
      cron: settings?.cron ?? null,
      timeZone: settings?.timeZone ?? null,
      nextTimes:
        cron !== null && settings !== undefined && row.enabled
          ? nextTimes(cron, settings.timeZone, started, SHOWN_TIMES).map((time) => time.toISOString())
          : [],
      address: row.kind === 'webhook' ? `${origin}${href('/hooks/:hook', { hook: row.id })}` : null,
      lastAt: row.last_at?.toISOString() ?? null,
      lastRunId: row.last_run_id,
      refusal: row.last_refusal === null ? null : (REFUSALS.find((known) => known === row.last_refusal) ?? 'other'),
    };
  });
  return inReadersLanguage(context, { triggers });
}

/** The workflows a new trigger may start: published ones. */
export async function loadNewTrigger(context: Context) {
  const { read, member } = requireAuthor(context);
  const workflows = await read((db) =>
    db
      .selectFrom('quorate.artifacts')
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', '=', 'workflow')
      .where('deleted_at', 'is', null)
      .where('published_version_id', 'is not', null)
      .select(['id', 'name'])
      .orderBy('name')
      .limit(OFFERED_WORKFLOWS)
      .execute(),
  );
  return { id: context.get(servicesContext).newId(), workflows };
}

/** One trigger by its id; 404 when it is none of this workspace. */
export async function loadTrigger(context: Context, id: string) {
  const { read } = requireAuthor(context);
  if (!z.uuid().safeParse(id).success) throw data({ code: 'not_found' }, { status: 404 });
  const row = await read((db) =>
    db
      .selectFrom('quorate.triggers')
      .where('id', '=', id)
      .where('kind', 'in', ['schedule', 'webhook'])
      .select(['id', 'name', 'kind'])
      .executeTakeFirst(),
  );
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return row;
}
