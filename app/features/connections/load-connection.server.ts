import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import { type AgentPresence, agentPresence } from '#app/domain/connections/agent-presence.ts';
import { appSettingsSchema } from '#app/domain/connections/app-partners.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import { cutPage, type NamedKey, readNamedKey } from '#app/domain/connections/named-key.ts';
import { effectOf, findingsOf, hintsOf } from '#app/domain/connections/tool-findings.ts';
import { AppError } from '#app/domain/errors.ts';
import { may } from '#app/domain/people/roles.ts';
import { explanationSchema } from '#app/domain/runs/explanation.ts';
import { type ConnectionStatus, capabilityState, type StepStatus } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';
import { lookAlikes, type NamedTool } from '#app/engine/connections/look-alikes.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import type { Db } from '#app/engine/db.ts';
import type { ConnectionKind } from '#app/features/connections/connection-area.ts';
import { differenceOf, inOrderOf } from '#app/features/connections/definition-difference.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Arguments = { params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };

/** The row of a connection that stands. Throws a 404 response where there is none. */
export async function readConnection({ params, context, kind }: Arguments) {
  const { member, read } = context.get(memberContext);
  if (!z.uuid().safeParse(params.connection).success) throw data({ code: 'not_found' }, { status: 404 });
  const row = await read((db) =>
    db
      .selectFrom('quorate.connections')
      .where('workspace_id', '=', member.workspace.id)
      .where('id', '=', params.connection)
      .where('kind', '=', kind)
      .where('deleted_at', 'is', null)
      .select([
        'id',
        'name',
        'slug',
        'description',
        'endpoint',
        'sealed_credential',
        'status',
        'personal_data_allowed',
        'idempotent',
        'protocol_version',
        'last_check_at',
        'last_error',
        'settings',
        'paused_at',
        'calls_at_once',
        'calls_a_minute',
      ])
      .executeTakeFirst(),
  );
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return row;
}

/** A page that a person looks through, and one that names what 'Approve all' approves: a form may carry no more fields. */
const PAGE_SIZE = 50;
const REVIEW_SIZE = 500;
/** Names that are compared for looking alike. */
const MAX_NAMES = 20_000;

/**
 * A connection with a page of what it offers, and what differs from what was approved. `?q=` searches, `?after=` pages, `?approve=all` lists
 * everything that waits, for one approval of all that is listed.
 */
export async function loadConnection({ params, context, url, kind }: Arguments & { url: URL }) {
  const row = await readConnection({ params, context, kind });
  const { member, read } = context.get(memberContext);
  const mayApprove = may(member.roles, 'approveCapability');
  const review = mayApprove && url.searchParams.get('approve') === 'all';
  const search = (url.searchParams.get('q') ?? '').trim().slice(0, 200);
  const size = review ? REVIEW_SIZE : PAGE_SIZE;
  const after = readNamedKey(url.searchParams.get('after'));
  const { counts, found, names, line } = await read(async (db) => ({
    line: await readLine(db, row.id),
    counts: await countCapabilities(db, row.id),
    found: await readCapabilities(db, { connectionId: row.id, search, after, waiting: review, size }),
    names: await readNames(db, member.workspace.id),
  }));
  const { shown, next } = cutPage(found, size);
  const alike = lookAlikes(names);
  const calls = kind === 'a2a' ? await read((db) => readCalls(db, row.id)) : null;
  const usedBy = await read((db) => readUsers(db, member.workspace.id, row.slug));
  const prices = modelSettingsSchema.safeParse(row.settings).data?.prices ?? {};
  const values = valueCutter();
  const schema = (value: Json | null) => (value === null ? null : values.json(value));
  const lastError = explanationSchema.safeParse(row.last_error);
  return {
    kind,
    review,
    search,
    next,
    url: `${url.pathname}${url.search}`,
    counts,
    mayConnect: may(member.roles, 'connect') || member.roles.includes('admin'),
    mayApprove,
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    address: row.endpoint in BUILTIN_PATHS ? null : row.endpoint,
    hasToken: row.sealed_credential !== null,
    service: serviceOf(kind, row.settings),
    usedBy: inReadersLanguage(context, usedBy),
    status: row.status,
    paused: row.paused_at !== null,
    limits: { atOnce: row.calls_at_once, aMinute: row.calls_a_minute },
    ...line,
    calls,
    presence: calls === null ? null : presenceOf(row, calls, context.get(servicesContext).now()),
    personalDataAllowed: row.personal_data_allowed,
    /** Null where repeating is harmless anyway: what is built in, and models. */
    idempotent: kind === 'model' || row.endpoint.startsWith('builtin:') ? null : row.idempotent,
    protocolVersion: row.protocol_version,
    lastCheckAt: row.last_check_at?.toISOString() ?? null,
    lastError: row.status === 'error' && lastError.success ? lastError.data : null,
    capabilities: shown.map((capability) => {
      const state = capabilityState(capability);
      const findings = findingsOf(capability.definition);
      return {
        id: capability.id,
        name: revealedText(capability.name),
        title: capability.title,
        description: capability.description,
        state,
        fingerprint: capability.fingerprint,
        // A name that hides something cannot be called as it is shown.
        approvable:
          mayApprove && (state === 'pending' || state === 'changed') && findings.every((finding) => finding.kind !== 'hiddenName'),
        effect: effectOf(capability.kind, capability.definition),
        hints: hintsOf(capability.definition),
        findings,
        lookAlikes: alike(capability)
          .slice(0, 5)
          .map(({ name, connection }) => ({ name: revealedText(name), connection })),
        price: prices[capability.name] ?? null,
        approved: capability.approved_at === null ? null : { at: capability.approved_at.toISOString(), by: capability.approver },
        inputSchema: schema(capability.input_schema),
        outputSchema: schema(capability.output_schema),
        difference:
          state === 'changed'
            ? differenceOf(linesOf(inOrderOf(capability.approved_definition, capability.definition)), linesOf(capability.definition))
            : [],
      };
    }),
  };
}
export type LoadedConnection = Awaited<ReturnType<typeof loadConnection>>;
export type LoadedCapability = LoadedConnection['capabilities'][number];

type Wanted = { connectionId: string; search: string; after: NamedKey | null; waiting: boolean; size: number };

/** One more than a page of what is offered, by name. `waiting`: only what nobody has approved as it is now. */
function readCapabilities(db: Db, { connectionId, search, after, waiting, size }: Wanted) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return db
    .selectFrom('quorate.capabilities as c')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.user_id', '=', 'c.approved_by').onRef('m.workspace_id', '=', 'c.workspace_id'),
    )
    .where('c.connection_id', '=', connectionId)
    .$if(search !== '', (list) =>
      list.where((where) =>
        where.or([where('c.name', 'ilike', pattern), where('c.title', 'ilike', pattern), where('c.description', 'ilike', pattern)]),
      ),
    )
    .$if(waiting, (list) =>
      list
        .where('c.removed_at', 'is', null)
        .where((where) =>
          where.or([where('c.approved_fingerprint', 'is', null), where('c.approved_fingerprint', '<>', where.ref('c.fingerprint'))]),
        ),
    )
    .$if(after !== null, (list) => list.where(sql<boolean>`(c.name, c.id) > (${after?.name}, ${after?.id}::uuid)`))
    .orderBy('c.name')
    .orderBy('c.id')
    .limit(size + 1)
    .select([
      'c.id',
      'c.kind',
      'c.name',
      'c.title',
      'c.description',
      'c.input_schema',
      'c.output_schema',
      'c.definition',
      'c.approved_definition',
      'c.fingerprint',
      'c.approved_fingerprint',
      'c.approved_at',
      'c.removed_at',
      'm.name as approver',
    ])
    .execute();
}

function countCapabilities(db: Db, connectionId: string) {
  return db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', connectionId)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where removed_at is null and approved_fingerprint is null))::int`.as('pending'),
      sql<number>`(count(*) filter (where removed_at is null and approved_fingerprint <> fingerprint))::int`.as('changed'),
    ])
    .executeTakeFirstOrThrow();
}

/** Until when its peer asked for no calls, and how many of the member's runs wait for a place at it. */
async function readLine(db: Db, connectionId: string): Promise<{ heldUntil: string | null; inLine: number }> {
  const traffic = await db
    .selectFrom('quorate.connection_traffic')
    .where('connection_id', '=', connectionId)
    .where('paused_until', '>', sql<Date>`now()`)
    .select('paused_until')
    .executeTakeFirst();
  const { waiting } = await db
    .selectFrom('quorate.connection_calls')
    .where('connection_id', '=', connectionId)
    .where('state', '<>', 'calling')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow();
  return { heldUntil: traffic?.paused_until?.toISOString() ?? null, inLine: Number(waiting) };
}

function readNames(db: Db, workspaceId: string): Promise<NamedTool[]> {
  return db
    .selectFrom('quorate.capabilities as c')
    .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
    .where('c.workspace_id', '=', workspaceId)
    .where('c.removed_at', 'is', null)
    .where('n.deleted_at', 'is', null)
    .limit(MAX_NAMES)
    .select(['c.id', 'c.name', 'n.name as connection'])
    .execute();
}

/** The latest calls of an agent's skills, as far as the member may see the runs. */
async function readCalls(db: Db, connectionId: string) {
  const { rows } = await sql<{ run_id: string; path: string; name: string; status: StepStatus; started_at: Date }>`
    select s.run_id, s.path, s.name, s.status, s.started_at from quorate.capabilities k cross join lateral (
      select x.run_id, x.path, x.name, x.status, x.started_at from quorate.steps x where x.capability_id = k.id order by x.started_at desc limit 10) s
    where k.connection_id = ${connectionId} order by s.started_at desc limit 10`.execute(db);
  return rows.map(({ run_id: run, path, name, status, started_at: at }) => ({ run, path, name, status, at: at.toISOString() }));
}

function presenceOf(
  row: { status: ConnectionStatus; paused_at: Date | null },
  calls: Awaited<ReturnType<typeof readCalls>>,
  now: Date,
): AgentPresence {
  const latest = calls[0];
  return agentPresence(
    {
      status: row.paused_at === null ? row.status : 'disconnected',
      busy: calls.filter(({ status }) => status === 'processing').length,
      lastCallAt: latest === undefined ? null : new Date(latest.at),
    },
    now,
  );
}

/** Which service a connection speaks to, where its kind has several. */
function serviceOf(kind: ConnectionKind, settings: Json): string | null {
  if (kind === 'model') return modelSettingsSchema.safeParse(settings).data?.provider ?? null;
  return kind === 'app' ? (appSettingsSchema.safeParse(settings).data?.partner ?? null) : null;
}

/** Workflows in force that name the connection. */
function readUsers(db: Db, workspaceId: string, slug: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.workspace_id', '=', workspaceId)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .where(sql<boolean>`jsonb_path_exists(v.document::jsonb, '$.steps.**.connection ? (@ == $slug)', ${JSON.stringify({ slug })}::jsonb)`)
    .orderBy('a.name')
    .limit(100)
    .select(['a.id', 'a.name'])
    .execute();
}

/** All that a peer says of one tool, skill or model, as a file. @throws AppError not_found */
export async function downloadCapability({
  params,
  context,
}: {
  params: { capability: string };
  context: Readonly<RouterContextProvider>;
}) {
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.capability).data;
  const row =
    id === undefined
      ? undefined
      : await read((db) =>
          db
            .selectFrom('quorate.capabilities as c')
            .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
            .where('c.workspace_id', '=', member.workspace.id)
            .where('c.id', '=', id)
            .where('n.deleted_at', 'is', null)
            .select('c.definition')
            .executeTakeFirst(),
        );
  if (row === undefined) throw new AppError('not_found');
  return jsonFile(row.definition, `quorate-capability-${id}`);
}

/** A definition as lines, with everything invisible spelled out. */
function linesOf(definition: Json | null): string {
  return revealedText(JSON.stringify(definition, null, 2));
}
