/**
 * The application's way to the data: transactions as one principal each, on pools that log in as quorate_app, which may touch nothing on
 * its own.
 */
import type pg from 'pg';
import type { Reauthentication } from '#app/contracts/access.ts';
import type { Role } from '#app/contracts/people.ts';
import type { Log } from '#app/contracts/ports.ts';
import type { DirectoryPrincipal, Membership, TriggerPrincipal } from '#app/contracts/principals.ts';
import { asAppError, isConnectionLoss, isPoolTaken } from '#app/platform/database/database-errors.server.ts';
import type { AppLogin } from '#app/platform/database/database-login.server.ts';
import { createKeyCalls, type KeyCalls, rolesOf } from '#app/platform/database/key-calls.server.ts';
import { openListener } from '#app/platform/database/listener.server.ts';
import { noteReauthentication } from '#app/platform/database/process-proof.server.ts';
import { openSessions } from '#app/platform/database/sessions.server.ts';
import type { Db } from '#app/platform/database/transaction-dialect.server.ts';
import type { PoolState } from '#app/platform/metrics/process-metrics.ts';

export type MemberPrincipal = { userId: string; sessionId: string; workspaceId: string | null; address?: string | undefined };

export type Database = KeyCalls & {
  /** As a member of a workspace, or with null as a signed-in person outside any. `readOnly` is retried once when the connection is lost. */
  asMember<T>(principal: MemberPrincipal, work: (db: Db, roles: Role[]) => Promise<T>, options?: { readOnly?: boolean }): Promise<T>;
  /** The memberships of a signed-in person, in one round trip; unread notifications counted up to `countUpTo`. */
  membershipsOf(who: { userId: string; sessionId: string; countUpTo: number; address?: string | undefined }): Promise<Membership[]>;
  /** As the member behind an API key, with what its scopes leave. `keyHash` is what `quorate.api_keys` stores. */
  asKey<T>(keyHash: Uint8Array, work: (db: Db) => Promise<T>): Promise<T>;
  /** The directory of this provisioning token, counted against its pace: seconds to wait, 0 for none. */
  openDirectory(tokenHash: Uint8Array, ceiling: number): Promise<{ directory: DirectoryPrincipal; waitSeconds: number }>;
  /** As a company's directory, with what it may reach. `tokenHash` is what `quorate.directory_tokens` stores. */
  asDirectory<T>(tokenHash: Uint8Array, work: (db: Db) => Promise<T>): Promise<T>;
  /** As a schedule or webhook, which acts as the publisher of its version. `lock`: not found while another transaction holds it. */
  asTrigger<T>(id: string, lock: boolean, work: (db: Db, trigger: TriggerPrincipal) => Promise<T>): Promise<T>;
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** As bare quorate_app, which sees no table: for functions that serve people before they are anyone. */
  app<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Notes that a person has just proved that it is them; for the code that checked it. AppError `unauthenticated`: the session is over. */
  noteReauthentication(noted: Reauthentication): Promise<void>;
  /** Sessions as quorate_worker without a workspace: single statements that call functions granted to it. */
  workerPool: pg.Pool;
  pools(): PoolState[];
  /** Returns how to stop. `onGap`: the connection was lost and is back, and notifications in between are lost. */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /** Throws AppError('unavailable') when the database does not answer. */
  ping(): Promise<void>;
  /** Waits for transactions under way. Idempotent. */
  close(): Promise<void>;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Makes a literal of an id. These go into simple queries, several statements in one round trip, which take no parameters. */
function uuidLiteral(id: string): string {
  if (!UUID.test(id)) throw new TypeError('not a UUID');
  return `'${id}'`;
}

/** The same of an address of the network; of anything else, that there is none. */
function addressLiteral(address: string | undefined): string {
  return address !== undefined && /^[0-9a-fA-F:.]{2,45}$/.test(address) ? `'${address}'` : 'null';
}

export function createDatabase({ login, log }: { login: AppLogin; log: Log }): Database {
  const sessions = openSessions({ login, log });
  const { memberPool, workerPool } = sessions;
  const app: Database['app'] = (work) =>
    expectedFailures(() =>
      sessions.transact(
        memberPool,
        (client) => lastResult(client, 'begin'),
        (db) => work(db),
      ),
    );
  const listener = openListener({ ...login, application_name: 'quorate listen', keepAlive: true }, log);
  let closed: Promise<void> | undefined;

  return {
    workerPool,
    pools: () => [stateOf('member', memberPool), stateOf('worker', workerPool)],
    ...createKeyCalls((statement) => expectedFailures(() => sessions.single(statement))),
    asMember(principal, work, options = {}) {
      const begin = options.readOnly ? 'begin read only' : 'begin';
      const workspace = principal.workspaceId === null ? 'null' : uuidLiteral(principal.workspaceId);
      const become = `select quorate.become_member(${uuidLiteral(principal.userId)}, ${uuidLiteral(principal.sessionId)}, ${workspace}, ${addressLiteral(principal.address)}) as roles`;
      const open = (client: pg.PoolClient) => lastResult(client, `${begin}; set local role quorate_member; ${become}`);
      return expectedFailures(
        () => sessions.transact(memberPool, open, (db, opened) => work(db, rolesOf(opened.rows[0]?.roles))),
        options.readOnly === true,
      );
    },
    async membershipsOf({ userId, sessionId, countUpTo, address }) {
      const unreadAt = Date.now();
      const text = 'select * from quorate.memberships_of($1, $2, $3, $4)';
      const { rows } = await expectedFailures(
        () => sessions.single({ name: 'memberships', text, values: [userId, sessionId, countUpTo, address ?? null] }),
        true,
      );
      return rows.map((row) => ({
        workspace: { id: row.workspace_id, name: row.workspace_name, slug: row.slug, haltedAt: row.halted_at, isDemo: row.is_demo },
        name: row.name,
        email: row.email,
        roles: rolesOf(row.roles),
        unread: row.unread,
        unreadAt,
        picture: row.picture,
        isLast: row.is_last,
        owesCompany: row.owes_company,
        owesSession: row.owes_session,
        owesFactor: row.owes_factor,
      }));
    },
    asKey(keyHash, work) {
      const become = `select * from quorate.become_key('\\x${Buffer.from(keyHash).toString('hex')}')`;
      const open = (client: pg.PoolClient) => lastResult(client, `begin; set local role quorate_member; ${become}`);
      return expectedFailures(() => sessions.transact(memberPool, open, (db) => work(db)));
    },
    async openDirectory(tokenHash, ceiling) {
      const text = 'select * from quorate.open_directory($1, $2)';
      const { rows } = await expectedFailures(() =>
        sessions.single({ name: 'open_directory', text, values: [Buffer.from(tokenHash), ceiling] }),
      );
      const { token_id, token_name, workspace_id, workspace_name, slug, wait } = rows[0];
      const directory = { tokenId: token_id, name: token_name, workspace: { id: workspace_id, name: workspace_name, slug } };
      return { directory, waitSeconds: wait };
    },
    asDirectory(tokenHash, work) {
      const become = `select from quorate.become_directory('\\x${Buffer.from(tokenHash).toString('hex')}')`;
      const open = (client: pg.PoolClient) => lastResult(client, `begin; set local role quorate_directory; ${become}`);
      return expectedFailures(() => sessions.transact(memberPool, open, (db) => work(db)));
    },
    asTrigger(id, lock, work) {
      // Only the login's own role can become a trigger: a member's statement cannot.
      const open = async (client: pg.PoolClient) => {
        await client.query('begin');
        const opened = await client.query('select * from quorate.become_trigger($1, $2)', [id, lock]);
        await client.query('set local role quorate_member');
        return opened;
      };
      return expectedFailures(() => sessions.transact(memberPool, open, (db, opened) => work(db, triggerOf(opened.rows[0]))));
    },
    asWorker(workspaceId, work) {
      const open = (client: pg.PoolClient) =>
        lastResult(client, `begin; set local role quorate_worker; select quorate.become_worker(${uuidLiteral(workspaceId)})`);
      return expectedFailures(() => sessions.transact(workerPool, open, (db) => work(db)));
    },
    app,
    noteReauthentication: (noted) => app((db) => noteReauthentication(db, login.processKey, noted)),
    listen: (channel, onMessage, onGap) => expectedFailures(() => listener.listen(channel, onMessage, onGap)),
    ping: () => expectedFailures(async () => void (await sessions.single({ text: 'select 1' }))),
    close() {
      closed ??= Promise.all([listener.close(), sessions.end()]).then(() => undefined);
      return closed;
    },
  };
}

function stateOf(pool: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState {
  return { pool, total: totalCount, idle: idleCount, waiting: waitingCount };
}

async function expectedFailures<T>(action: () => Promise<T>, retryOnLoss = false): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (retryOnLoss && isConnectionLoss(error) && !isPoolTaken(error)) return expectedFailures(action);
    throw asAppError(error);
  }
}

/** Several statements in one round trip answer several results; pg types only the first form. */
async function lastResult(client: pg.PoolClient, text: string): Promise<pg.QueryResult> {
  const results: pg.QueryResult | pg.QueryResult[] = await client.query(text);
  const last = Array.isArray(results) ? results.at(-1) : results;
  if (!last) throw new Error('the database answered nothing');
  return last;
}

function triggerOf(row: pg.QueryResultRow): TriggerPrincipal {
  return {
    id: row.trigger_id,
    name: row.trigger_name,
    kind: row.kind,
    workspaceId: row.workspace_id,
    artifactId: row.artifact_id,
    artifactName: row.artifact_name,
    versionId: row.version_id,
    document: row.document,
    userId: row.user_id,
    settings: row.settings,
    secretSealed: row.secret_sealed,
    nextAt: row.next_at,
  };
}
