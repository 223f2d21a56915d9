import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Db } from '#app/contracts/db.ts';
import { explanationSchema } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { ConnectionStatus } from '#app/contracts/statuses.ts';
import { type AgentPresence, agentPresence } from '#app/domain/connections/agent-presence.ts';
import { appSettingsSchema } from '#app/domain/connections/app-settings.ts';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { inOrderOf } from '#app/domain/connections/in-order.ts';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import { cutPage, readNamedKey } from '#app/domain/connections/named-key.ts';
import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import { effectOf, findingsOf, hintsOf } from '#app/domain/connections/tool-findings.ts';
import { can } from '#app/domain/people/roles.ts';
import { reviewOfTools } from '#app/engine/connections/approve-capabilities.ts';
import { lookAlikes } from '#app/engine/connections/look-alikes.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { differenceOf } from '#app/features/connections/definition-difference.ts';
import {
  countCapabilities,
  readCalls,
  readCapabilities,
  readLine,
  readNames,
  readUsers,
} from '#app/features/connections/page/connection-rows.server.ts';
import { maySignIn, readHeld } from '#app/features/connections/sign-in/sign-in-state.server.ts';

type Arguments = { params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };

/** The row of an open connection. Throws a 404 response where there is none. */
export const readConnection = (asked: Arguments) => asked.context.get(memberContext).read((db) => findConnection(db, asked));

async function findConnection(db: Db, { params, context, kind }: Arguments) {
  const { member } = context.get(memberContext);
  if (!z.uuid().safeParse(params.connection).success) throw data({ code: 'not_found' }, { status: 404 });
  const row = await db
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
    .executeTakeFirst();
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return row;
}

/** A page that a person looks through, and one that names what 'Approve all' approves: a form may carry no more fields. */
const PAGE_SIZE = 50;
const REVIEW_SIZE = 500;

/**
 * A connection with a page of what it offers, and what differs from what was approved. `?q=` searches, `?after=` pages, `?approve=all` lists
 * everything that waits, for one approval of all that is listed.
 */
export async function loadConnection({ params, context, url, kind }: Arguments & { url: URL }) {
  const { member, read } = context.get(memberContext);
  const mayApprove = can(member.roles, 'approveCapability');
  const review = mayApprove && url.searchParams.get('approve') === 'all';
  const search = (url.searchParams.get('q') ?? '').trim().slice(0, 200);
  const after = readNamedKey(url.searchParams.get('after'));
  const found = await read((db) => readPage(db, { params, context, kind, review, mayApprove, search, after }));
  const { row, shown, next, asks, counts, names, line, calls, usedBy } = found;
  const alike = lookAlikes(names);
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
    mayConnect: can(member.roles, 'connect') || member.roles.includes('admin'),
    mayApprove,
    /** Another person agrees to an approval of what has effects here. */
    asksSecondPerson: asks,
    /** Another person agrees to personal data and to repeated calls. */
    asksForPermits: mayApprove && !(row.endpoint in BUILTIN_PATHS) && (await read((db) => secondPersonAgrees(db))),
    id: row.id,
    ...inReadersLanguage(context, { name: row.name, description: row.description }),
    slug: row.slug,
    signIn: await signInState(context, row),
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
    /** Null where repeating is harmless anyway: built-in connections and models. */
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
        ...inReadersLanguage(context, { title: capability.title, description: capability.description }),
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

/** Whether this reader, or the workspace, is signed in to a connection that takes nothing else; null: it takes a key. */
async function signInState(context: Arguments['context'], row: { id: string; settings: Json }) {
  const signIn = signInOf(row.settings);
  if (signIn === null) return null;
  const { member, read } = context.get(memberContext);
  const held = await read((db) => readHeld(db, row.id, signIn.by === 'member' ? member.userId : null));
  const state: 'none' | 'lost' | 'active' = held === null ? 'none' : held.lost ? 'lost' : 'active';
  return { host: signIn.host, by: signIn.by, state, may: maySignIn(context, signIn) };
}

type Page = { review: boolean; mayApprove: boolean; search: string; after: ReturnType<typeof readNamedKey> };

/** All that the page shows of the database, in one transaction. */
async function readPage(db: Db, { params, context, kind, review, mayApprove, search, after }: Arguments & Page) {
  const row = await findConnection(db, { params, context, kind });
  const workspaceId = context.get(memberContext).member.workspace.id;
  const size = review ? REVIEW_SIZE : PAGE_SIZE;
  const { shown, next } = cutPage(await readCapabilities(db, { connectionId: row.id, search, after, waiting: review, size }), size);
  const ids = shown.map(({ id }) => id);
  return {
    row,
    shown,
    next,
    asks: mayApprove && (await reviewOfTools(db, ids)) === 'needed',
    counts: await countCapabilities(db, row.id),
    names: await readNames(db, workspaceId),
    line: await readLine(db, row.id),
    calls: kind === 'a2a' ? await readCalls(db, row.id) : null,
    usedBy: await readUsers(db, workspaceId, row.slug),
  };
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

/** The service of a connection, where its kind has several. */
function serviceOf(kind: ConnectionKind, settings: Json): string | null {
  if (kind === 'model') return modelSettingsSchema.safeParse(settings).data?.provider ?? null;
  return kind === 'app' ? (appSettingsSchema.safeParse(settings).data?.partner ?? null) : null;
}

/** A definition as lines, with everything invisible spelled out. */
function linesOf(definition: Json | null): string {
  return revealedText(JSON.stringify(definition, null, 2));
}
