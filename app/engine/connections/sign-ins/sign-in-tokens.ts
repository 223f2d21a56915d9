import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Log, NewId, Sealer } from '#app/contracts/ports.ts';
import { SignInError, type SignInHolder, type SignIns, type SignInToken } from '#app/contracts/sign-ins.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { CallTime, orAbort } from '#app/engine/connections/call-time.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { signInNeeded } from '#app/engine/connections/sign-ins/sign-in-needed.ts';
import { endOf, grantContext, openJson, sealJson } from '#app/engine/connections/sign-ins/token-set.ts';
import type { TokenSet } from '#app/engine/mcp/oauth/sealed-parts.ts';

/** A token that ends sooner than this is renewed before it is used. */
const SOON_MS = 60_000;
/** The whole of a renewal: the row is locked for as long, and others wait for it. */
const RENEWAL_MS = 10_000;

export type TokenDeps = {
  /** A transaction as a worker of one workspace. */
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  renew(set: TokenSet, privateNetwork: Parameters<SignIns['token']>[1]['privateNetwork'], signal: AbortSignal): Promise<TokenSet | null>;
  sealer: Sealer;
  newId: NewId;
  now(): Date;
  log: Log;
};

type Row = { id: string; sealed: Uint8Array; version: number; expires_at: Date | null; status: 'active' | 'lost' };

/** A token of a holder, renewed where it is about to end or has just been refused. */
export async function readToken(deps: TokenDeps, holder: SignInHolder, about: Parameters<SignIns['token']>[1]): Promise<SignInToken> {
  const row = await deps.asWorker(holder.workspaceId, (db) => readGrant(db, holder));
  if (row === undefined || row.status === 'lost') throw signInNeeded(about.host);
  const { rejected } = about;
  if (row.version === rejected || isSoon(deps, row)) return renewed(deps, holder, about, row);
  return tokenOf(deps, row);
}

const isSoon = ({ now }: TokenDeps, { expires_at: end }: Row) => end !== null && end.getTime() - now().getTime() < SOON_MS;

const tokenOf = ({ sealer }: TokenDeps, { id, sealed, version }: Row): SignInToken => ({
  token: openJson<TokenSet>(sealer, sealed, grantContext(id)).tokens.access_token,
  version,
});

function readGrant(db: Db, { connectionId, userId }: SignInHolder) {
  return db
    .selectFrom('quorate.oauth_grants')
    .where('connection_id', '=', connectionId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .select(['id', 'sealed', 'version', 'expires_at', 'status'])
    .executeTakeFirst();
}

/**
 * Renews the set that was read, unless another process has done so meanwhile. A server that rotates refresh tokens takes each once: whoever
 * sends one waits for the lock, reads again, and writes what came before the lock is let go.
 */
async function renewed(deps: TokenDeps, holder: SignInHolder, about: Parameters<SignIns['token']>[1], seen: Row): Promise<SignInToken> {
  const outcome = await deps.asWorker(holder.workspaceId, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`oauth_grants/${seen.id}`}, 0))`.execute(db);
    const row = await readGrant(db, holder);
    if (row === undefined || row.status === 'lost') return null;
    if (row.id !== seen.id || row.version !== seen.version) return tokenOf(deps, row);
    return renewRow(deps, db, { holder, about, row });
  });
  if (outcome === null) throw signInNeeded(about.host);
  return outcome;
}

async function renewRow(
  deps: TokenDeps,
  db: Db,
  { holder, about, row }: { holder: SignInHolder; about: Parameters<SignIns['token']>[1]; row: Row },
): Promise<SignInToken | null> {
  const set = openJson<TokenSet>(deps.sealer, row.sealed, grantContext(row.id));
  const time = new CallTime(RENEWAL_MS);
  let next: TokenSet | null;
  try {
    next = await orAbort(deps.renew(set, about.privateNetwork, time.signal), time.signal);
  } catch (error) {
    if (!(error instanceof SignInError) && !time.signal.aborted) throw error;
    deps.log.warn('a token could not be renewed', { connection: holder.connectionId });
    const valid = row.version !== about.rejected && row.expires_at !== null && row.expires_at > deps.now();
    if (valid) return tokenOf(deps, row);
    throw new PeerError({ key: 'peerUnreachable', values: {}, retryable: true, happened: 'no' }, { cause: error });
  } finally {
    time.end();
  }
  if (next === null) {
    await loseGrant(deps, db, { holder, row, host: about.host });
    return null;
  }
  const version = row.version + 1;
  await db
    .updateTable('quorate.oauth_grants')
    .set({
      sealed: sealJson(deps.sealer, next, grantContext(row.id)),
      scope: next.tokens.scope ?? '',
      version,
      expires_at: endOf(deps.now(), next.tokens.expires_in),
      updated_at: deps.now(),
    })
    .where('id', '=', row.id)
    .execute();
  return { token: next.tokens.access_token, version };
}

/** The issuer takes the consent no longer: it stays as lost until someone consents again, and the log says so once. */
async function loseGrant(
  deps: TokenDeps,
  db: Db,
  { holder: { workspaceId, connectionId, userId }, row, host }: { holder: SignInHolder; row: Row; host: string },
): Promise<void> {
  await db.updateTable('quorate.oauth_grants').set({ status: 'lost', updated_at: deps.now() }).where('id', '=', row.id).execute();
  const connection = await db.selectFrom('quorate.connections').where('id', '=', connectionId).select('name').executeTakeFirst();
  await recordEvent(db, {
    id: deps.newId(),
    actor: { kind: 'worker', id: null, name: null },
    workspaceId,
    entry: {
      action: 'connection.signInLost',
      resource: { kind: 'connection', id: connectionId, ...(connection === undefined ? {} : { name: connection.name }) },
      payload: { host, member: userId },
    },
  });
}
