import { sql } from 'kysely';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { PeerAddress, PeerInspection } from '#app/contracts/peer.ts';
import type { Log, NewId, Sealer } from '#app/contracts/ports.ts';
import type { SignIns } from '#app/contracts/sign-ins.ts';
import { type SignInSettings, signInOf } from '#app/domain/connections/sign-in-settings.ts';
import { AppError } from '#app/domain/errors.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { credentialContext } from '#app/engine/connections/connection-row.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { recordCheck, recordFailedCheck } from '#app/engine/connections/record-check.ts';
import { SIGN_IN_NEEDED } from '#app/engine/connections/sign-ins/sign-in-needed.ts';
import { withBearer } from '#app/engine/connections/sign-ins/with-bearer.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';

/** How long an inspection is valid, and when a failed one is repeated. */
const CHECK_EVERY = '1 hour';
const CHECK_FAILED_AGAIN = '5 minutes';
/** Longer than one check can take: who dies with it leaves it to the next after this. */
const LEASE = '2 minutes';
const LOOK_EVERY_MS = 15_000;
const BATCH = 20;
/** Failures in a row after which a peer that may only have been away counts as failed. */
const FAILURES_BEFORE_ERROR = 3;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export type CheckDueDeps = {
  /** A transaction as the application itself, for the instance-wide list. */
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A transaction as a worker of one workspace. */
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  inspectPeer(peer: PeerAddress): Promise<PeerInspection>;
  signIns: Pick<SignIns, 'token'>;
  sealer: Sealer;
  newId: NewId;
  now(): Date;
  log: Log;
};

export type ConnectionChecks = {
  /** Has a connection checked at once: a call of it was refused because it says something else of itself. */
  request(workspaceId: string, connectionId: string): Promise<void>;
  /** The same for all connections to an address whose server says that its list has changed. */
  requestOf(endpoint: string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Checks every connection whose time has come. Any number of processes may do so at once: each takes others. Returns how many were checked.
 * A check that finds nothing new writes no event: the log holds changes.
 */
export async function checkDueConnections(deps: CheckDueDeps): Promise<number> {
  const due = await deps.asApp(
    async (db) =>
      (
        await sql<{
          connection_id: string;
          workspace_id: string;
        }>`select * from quorate.claim_connection_checks(${BATCH}, ${LEASE}::interval)`.execute(db)
      ).rows,
  );
  await Promise.all(due.map(({ connection_id: id, workspace_id: workspaceId }) => checkOne(deps, workspaceId, id)));
  return due.length;
}

/** Looks now and then until it is stopped; a look that fails is logged and tried again. */
export function startConnectionChecks(deps: CheckDueDeps, everyMs: number = LOOK_EVERY_MS): ConnectionChecks {
  const { wake, stop } = repeat({
    firstMs: everyMs,
    async work(stopping) {
      while (!stopping.aborted && (await checkDueConnections(deps)) === BATCH);
      return everyMs;
    },
    failed(error) {
      deps.log.error('connections could not be checked', { error });
      return everyMs;
    },
  });
  return {
    async request(workspaceId, connectionId) {
      await deps.asWorker(workspaceId, (db) =>
        db.updateTable('quorate.connections').set({ next_check_at: sql`clock_timestamp()` }).where('id', '=', connectionId).execute(),
      );
      wake();
    },
    async requestOf(endpoint) {
      await deps.asApp((db) => sql`select quorate.request_checks_of(${endpoint})`.execute(db));
      wake();
    },
    stop,
  };
}

async function checkOne(deps: CheckDueDeps, workspaceId: string, id: string): Promise<void> {
  const { row, privateNetwork } = await deps.asWorker(workspaceId, async (db) => ({
    row: await db
      .selectFrom('quorate.connections')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .select(['id', 'kind', 'name', 'endpoint', 'sealed_credential', 'settings', 'status', 'failed_checks'])
      .executeTakeFirst(),
    privateNetwork: await workspaceNetwork(db, workspaceId),
  }));
  if (row === undefined) return;
  const { kind, name, endpoint, sealed_credential: sealed, settings, status } = row;
  const connection = { id, name, workspaceId };
  const at = deps.now();
  try {
    const credential = sealed === null ? null : deps.sealer.open(sealed, credentialContext(id));
    const inspect = (token: string | null) => deps.inspectPeer({ kind, endpoint, credential: token, settings, privateNetwork });
    const signIn = signInOf(settings);
    const inspection =
      signIn === null
        ? await inspect(credential)
        : await withBearer(deps.signIns, holderOf(signIn, { workspaceId, id }), { privateNetwork, host: signIn.host }, inspect);
    await deps.asWorker(workspaceId, async (db) => {
      const { result, event } = await recordCheck(db, connection, inspection, { newId: deps.newId, at });
      await putOff(db, id, CHECK_EVERY, 0);
      if (result.news > 0 || status !== 'connected') await record(db, deps, workspaceId, event);
    });
  } catch (error) {
    // Someone disconnected it meanwhile.
    if (error instanceof AppError && error.code === 'not_found') return;
    if (!(error instanceof PeerError)) return deps.log.error('a connection could not be checked', { connection: id, error });
    const { failure } = error;
    // Nobody has signed in yet: that is no failure of the peer.
    if (status === 'pending' && failure.key === SIGN_IN_NEEDED) return deps.asWorker(workspaceId, (db) => putOff(db, id, CHECK_EVERY, 0));
    const failures = row.failed_checks + 1;
    await deps.asWorker(workspaceId, async (db) => {
      await putOff(db, id, status === 'error' ? CHECK_EVERY : CHECK_FAILED_AGAIN, failures);
      if (status === 'error' || (failure.retryable && failures < FAILURES_BEFORE_ERROR)) return;
      await record(db, deps, workspaceId, (await recordFailedCheck(db, connection, failure, at)).event);
    });
  }
}

/** By the workspace's account; where each member has their own, by that of the owner, which a check without one finds missing. */
const holderOf = ({ by, owner }: SignInSettings, { workspaceId, id }: { workspaceId: string; id: string }) => ({
  workspaceId,
  connectionId: id,
  userId: by === 'member' ? (owner ?? NOBODY) : null,
});

async function putOff(db: Db, id: string, interval: string, failedChecks: number): Promise<void> {
  await db
    .updateTable('quorate.connections')
    .set({ next_check_at: sql`clock_timestamp() + ${interval}::interval`, failed_checks: failedChecks })
    .where('id', '=', id)
    .execute();
}

function record(db: Db, deps: CheckDueDeps, workspaceId: string, entry: AuditEntry): Promise<void> {
  return recordEvent(db, { id: deps.newId(), actor: { kind: 'worker', id: null, name: null }, workspaceId, entry });
}
