/** The built pages of the product, asked inside this process on a database of one's own. */

import { createHmac, generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type RouterContext, RouterContextProvider, type ServerBuild } from 'react-router';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { Services } from '#app/contracts/request-context.ts';
import { DEFAULT_RUN_CEILINGS } from '#app/domain/runs/run-limits.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { createSealer } from '#app/platform/crypto.server.ts';
import type { Database } from '#app/platform/database/database.server.ts';
import { createInstanceNetwork } from '#app/platform/http/private-network.server.ts';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';
import { createPasskeys } from '#app/platform/webauthn/passkeys.server.ts';
import { NO_AUTHORIZATION } from '#tests/mocks/no-authorization.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const BUILD = fileURLToPath(new URL('../../build/server', import.meta.url));
export const PAGES_ORIGIN = 'http://bench.invalid';
const SECRET = 'of the bench alone';
const COOKIE = 'sb-bench-auth-token';

/** The build as the server imports it. It must stand. */
export async function importBuild(): Promise<ServerBuild> {
  return await import(chunk('server-build').url);
}

/** What `createLoadContext` puts into each request, under the keys of the build. `engine`: more of it than reading takes; with it members may change. */
export async function contextsOn(database: Database, engine?: Partial<Services['engine']>): Promise<() => RouterContextProvider> {
  const values: [name: string, value: unknown][] = [
    ['servicesContext', servicesOn(database, engine)],
    ['clientContext', { address: '127.0.0.1', secure: false }],
    ['nonceContext', 'bench'],
    ['requestIdContext', 'bench'],
    ['arrivalContext', { host: 'bench.invalid', socketAddress: '127.0.0.1', forwarded: false }],
  ];
  const set = await Promise.all(
    values.map(async ([name, value]) => [(await builtExport('request-context', name)) as RouterContext<unknown>, value] as const),
  );
  return () => {
    const context = new RouterContextProvider();
    for (const [key, value] of set) context.set(key, value);
    return context;
  };
}

function chunk(name: string): { path: string; url: string } {
  const [file] = globSync(`${name}-*.js`, { cwd: BUILD });
  if (file === undefined) throw new Error(`the build has no chunk ${name}: build again`);
  return { path: join(BUILD, file), url: pathToFileURL(join(BUILD, file)).href };
}

/**
 * The build keeps names inside its chunks and shortens them between: `export { servicesContext as c }`. A module that it puts into one chunk
 * with others is in a chunk of another's name.
 */
export async function builtExport(chunkName: string, name: string): Promise<unknown> {
  const given = new RegExp(`\\b${name} as (\\w+)`);
  const shortIn = (path: string) => given.exec(readFileSync(path, 'utf8').split('export {').at(-1) ?? '')?.[1];
  const own = globSync(`${chunkName}-*.js`, { cwd: BUILD });
  const file = [...own, ...globSync('*.js', { cwd: BUILD })].find((one) => shortIn(join(BUILD, one)) !== undefined) ?? `${chunkName}.js`;
  const { path, url } = { path: join(BUILD, file), url: pathToFileURL(join(BUILD, file)).href };
  const short = shortIn(path) ?? name;
  const module: Record<string, unknown> = await import(url);
  if (module[short] === undefined) throw new Error(`the chunk ${chunkName} gives no ${name} away`);
  return module[short];
}

/** As much of the services as reading takes. */
function servicesOn(database: Database, engine: Partial<Services['engine']> | undefined): Services {
  const { publicKey } = generateKeyPairSync('ed25519');
  const services = {
    engine: {
      sealer: createSealer(SECRET),
      signer: { name: 'bench.invalid/log', publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url') },
      validatePolicy: () => [],
      ...engine,
    },
    access: {
      asNobody: (work) => database.app(work),
      noteReauthentication: (noted) => database.noteReauthentication(noted),
      asMember: (who, work) => database.asMember(who, work),
      membershipsOf: (who) => database.membershipsOf(who),
      openKey: () => Promise.reject(new Error('the bench has no keys')),
      openDirectory: () => Promise.reject(new Error('the bench has no directories')),
      asTrigger: () => Promise.reject(new Error('the bench has no triggers')),
      createMemberAccess: (member): MemberAccess => ({
        member,
        read: (work) =>
          database.asMember({ userId: member.userId, sessionId: member.sessionId, workspaceId: member.workspace.id }, work, {
            readOnly: true,
          }),
        change: (work) =>
          engine === undefined
            ? Promise.reject(new Error('the bench only reads'))
            : database.asMember({ userId: member.userId, sessionId: member.sessionId, workspaceId: member.workspace.id }, async (db) => {
                const { result, event } = await work(db);
                const actor = { kind: 'member', id: member.userId, name: member.name } as const;
                await recordEvent(db, { id: crypto.randomUUID(), actor, workspaceId: member.workspace.id, entry: event });
                return result;
              }),
      }),
    },
    identity: createIdentityBackend({
      mode: 'embedded',
      url: PAGES_ORIGIN,
      key: 'bench',
      fetch: answerAccounts,
      jwtSecret: SECRET,
      cookieName: COOKIE,
    }),
    log: quietLog,
    oidc: {
      begin: () => Promise.reject(new Error('the bench asks no provider')),
      finish: () => Promise.reject(new Error('the bench asks no provider')),
      readLogout: () => Promise.reject(new Error('the bench asks no provider')),
    },
    passkeys: createPasskeys(PAGES_ORIGIN),
    saml: {
      begin: () => Promise.reject(new Error('the bench asks no provider')),
      glance: () => Promise.reject(new Error('the bench asks no provider')),
      finish: () => Promise.reject(new Error('the bench asks no provider')),
      readMetadata: () => Promise.reject(new Error('the bench asks no provider')),
      fetchMetadata: () => Promise.reject(new Error('the bench asks no provider')),
      writeMetadata: () => Promise.reject(new Error('the bench asks no provider')),
      makeKey: () => Promise.reject(new Error('the bench asks no provider')),
    },
    resolveTxt: async () => [],
    newId: () => crypto.randomUUID(),
    now: () => new Date(),
    origin: PAGES_ORIGIN,
    operator: null,
    paceCeilings: { keys: 6_000, hooks: 1_200 },
    instanceNetwork: createInstanceNetwork(LOOPBACK),
    registration: { kind: 'open' },
    authorization: NO_AUTHORIZATION,
    founders: 'anyone',
    runCeilings: DEFAULT_RUN_CEILINGS,
    mailboxToken: null,
  } satisfies Omit<Services, 'engine' | 'mailer' | 'files' | 'scanFile'> & { engine: object };
  return services as unknown as Services;
}

/** The password of everybody who signs in by `sessionCookie`. */
export const BENCH_PASSWORD = 'a password of the bench';

/** The profile, which a server then remembers, and whether a password is this person's; nothing else is asked. */
async function answerAccounts(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = String(input instanceof Request ? input.url : input);
  if (url.includes('/rest/v1/profiles?')) return Response.json({ id: '', role: 'user', display_name: null });
  if (url.includes('/logout')) return new Response(null, { status: 204 });
  if (!url.includes('/token?grant_type=password')) throw new Error('the bench asks no auth service');
  const { email, password } = (await new Response(init?.body).json()) as { email: string; password: string };
  if (password !== BENCH_PASSWORD) return Response.json({ code: 'invalid_credentials', message: 'wrong' }, { status: 400 });
  const [id = ''] = email.split('@');
  const user = { id, aud: 'authenticated', email, app_metadata: {}, user_metadata: {}, created_at: new Date().toISOString() };
  const token = accessToken({ userId: id, sessionId: crypto.randomUUID() });
  return Response.json({ access_token: token.text, token_type: 'bearer', expires_in: 3_600, refresh_token: 'bench', user });
}

/** The cookie of a session that stands in the database. */
export function sessionCookie(who: { userId: string; sessionId: string }): string {
  const { text, expiresAt } = accessToken(who);
  return `${COOKIE}=base64-${part({ access_token: text, refresh_token: 'bench', expires_at: expiresAt })}`;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function accessToken({ userId, sessionId }: { userId: string; sessionId: string }): { text: string; expiresAt: number } {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    sub: userId,
    email: `${userId}@bench.example`,
    role: 'authenticated',
    aud: 'authenticated',
    aal: 'aal1',
    session_id: sessionId,
    iat: now - (now % 60),
    exp: now - (now % 60) + 3_600,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return { text: `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`, expiresAt: claims.exp };
}
