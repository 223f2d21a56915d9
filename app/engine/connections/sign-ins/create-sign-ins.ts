import type { Db } from '#app/contracts/db.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import type { SignInHolder, SignIns, TypedClient } from '#app/contracts/sign-ins.ts';
import type { OurClient } from '#app/domain/connections/our-client.ts';
import { readToken, type TokenDeps } from '#app/engine/connections/sign-ins/sign-in-tokens.ts';
import { clientContext, consentContext, endOf, grantContext, openJson, sealJson } from '#app/engine/connections/sign-ins/token-set.ts';
import type { Registrations } from '#app/engine/mcp/oauth/consent-provider.ts';
import type { Pending, TokenSet } from '#app/engine/mcp/oauth/sealed-parts.ts';

/** How long somebody who was sent away may take. */
const CONSENT_MS = 10 * 60_000;

type Deps = Omit<TokenDeps, 'renew'> & { fetch: GuardedFetch; client: OurClient };

/** The protocol's library is loaded with the first use: most processes sign in nowhere. */
const protocol = () => import('#app/engine/mcp/oauth/protocol.ts');

export function createSignIns(deps: Deps): SignIns {
  const { sealer, client, fetch: guardedFetch } = deps;
  const tokens: TokenDeps = {
    ...deps,
    async renew(set, privateNetwork, signal) {
      const { authFetch, renewTokens } = await protocol();
      const fetchFn = authFetch(guardedFetch, privateNetwork);
      return renewTokens(set, (input, init) => fetchFn(input, { ...init, signal }));
    },
  };
  return {
    async discover(peer) {
      const { authFetch, discover, offerOf } = await protocol();
      return offerOf(await discover(peer, authFetch(guardedFetch, peer.privateNetwork)));
    },
    async begin(holder, peer, consentId) {
      const { authFetch, beginConsent, stateDigest } = await protocol();
      const known = await deps.asWorker(holder.workspaceId, (db) => readKnown(deps, db, holder));
      const fetchFn = authFetch(guardedFetch, peer.privateNetwork);
      const { pending, host, registered } = await beginConsent(peer, { client, ...known, fetchFn });
      if (registered.isNew) await deps.asWorker(holder.workspaceId, (db) => keepRegistration(deps, db, holder, registered));
      return {
        address: pending.address,
        host,
        stateDigest: stateDigest(pending.state),
        sealed: sealJson(sealer, pending, consentContext(consentId)),
        dueAt: new Date(deps.now().getTime() + CONSENT_MS),
      };
    },
    addressOf: (consentId, sealed) => openJson<Pending>(sealer, sealed, consentContext(consentId)).address,
    async finish({ id: consentId, sealed, endpoint, privateNetwork }, params) {
      const { authFetch, finishConsent } = await protocol();
      const pending = openJson<Pending>(sealer, sealed, consentContext(consentId));
      const fetchFn = authFetch(guardedFetch, privateNetwork);
      const set = await finishConsent(endpoint, { pending, params, client, fetchFn });
      const id = deps.newId();
      return {
        id,
        issuer: set.issuer,
        resource: set.resource ?? endpoint,
        scope: set.tokens.scope ?? '',
        sealed: sealJson(sealer, set, grantContext(id)),
        expiresAt: endOf(deps.now(), set.tokens.expires_in),
      };
    },
    async revoke(holder, privateNetwork) {
      const rows = await deps.asWorker(holder.workspaceId, (db) => readSets(db, holder));
      if (rows.length === 0) return;
      const { authFetch, revokeTokens } = await protocol();
      const fetchFn = authFetch(guardedFetch, privateNetwork);
      await Promise.all(
        rows.map(async ({ id, sealed }) => {
          try {
            const done = await revokeTokens(openJson<TokenSet>(sealer, sealed, grantContext(id)), fetchFn);
            if (!done) deps.log.info('an issuer took no word that a consent has ended', { connection: holder.connectionId });
          } catch (error) {
            deps.log.warn('an issuer was not told that a consent has ended', { connection: holder.connectionId, reason: nameOf(error) });
          }
        }),
      );
    },
    token: (holder, about) => readToken(tokens, holder, about),
  };
}

/** The failure in our words: the other side may have written into its own. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');

/** Our registrations for a connection, and how far its present consent reaches. */
async function readKnown(
  { sealer }: Deps,
  db: Db,
  { connectionId, userId }: SignInHolder,
): Promise<{ registrations: Registrations; granted: string }> {
  const rows = await db
    .selectFrom('quorate.oauth_clients')
    .where('connection_id', '=', connectionId)
    .select(['issuer', 'sealed'])
    .execute();
  const grant = await db
    .selectFrom('quorate.oauth_grants')
    .where('connection_id', '=', connectionId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .select('scope')
    .executeTakeFirst();
  const of = new Map<string, NonNullable<Registrations['typed']>>();
  let typed: Registrations['typed'] = null;
  for (const { issuer, sealed } of rows) {
    if (issuer === '') {
      const { clientId, clientSecret } = openJson<TypedClient>(sealer, sealed, clientContext(connectionId));
      typed = { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
    } else of.set(issuer, openJson(sealer, sealed, clientContext(connectionId)));
  }
  return { registrations: { of, typed }, granted: grant?.scope ?? '' };
}

/** A registration is of its issuer from the first use on: one that was typed in goes to no other. */
async function keepRegistration(
  { sealer, now }: Deps,
  db: Db,
  { workspaceId, connectionId }: SignInHolder,
  { issuer, information }: { issuer: string; information: unknown },
): Promise<void> {
  const sealed = sealJson(sealer, information, clientContext(connectionId));
  await db.deleteFrom('quorate.oauth_clients').where('connection_id', '=', connectionId).where('issuer', '=', '').execute();
  await db
    .insertInto('quorate.oauth_clients')
    .values({ workspace_id: workspaceId, connection_id: connectionId, issuer, sealed, updated_at: now() })
    .onConflict((conflict) => conflict.columns(['connection_id', 'issuer']).doUpdateSet({ sealed, updated_at: now() }))
    .execute();
}

/** Of one holder; of all of them where the user is left out by the caller. */
function readSets(db: Db, { connectionId, userId }: SignInHolder) {
  return db
    .selectFrom('quorate.oauth_grants')
    .where('connection_id', '=', connectionId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .select(['id', 'sealed'])
    .execute();
}
