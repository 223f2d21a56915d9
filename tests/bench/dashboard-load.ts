import { createHmac } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createRequestHandler, type MiddlewareFunction, type RouterContext, RouterContextProvider, type ServerBuild } from 'react-router';
import { createSealer } from '#app/platform/crypto.server.ts';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';
import type { MemberAccess, Services } from '#app/request-context.ts';
import type { BenchWorkspace } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const BUILD = fileURLToPath(new URL('../../build/server', import.meta.url));
const ORIGIN = 'http://bench.invalid';
const SECRET = 'of the bench alone';
const COOKIE = 'sb-bench-auth-token';
const ROWS = 50;
const WARM_UP = 60;
const ROUNDS = 5;

/**
 * The list of runs, 50 rows, as a signed-in member gets it (session, membership, shell, rows, render), beside the same page
 * rendered from what its loaders answered once. Both by the built modules, in this process; the CPU of the database counts
 * as the request's.
 */
export async function measureDashboard(
  bench: BenchWorkspace,
  databaseCpuMs: () => number,
  { requests }: { requests: number },
): Promise<Line[]> {
  const pages: ServerBuild = await import(chunk('server-build').url);
  const contextOf = await contextsFor(servicesOf(bench));
  const languages = (await builtExport('i18n.server', 'languageMiddleware')) as MiddlewareFunction[];
  const cookie = sessionCookie(bench);
  const ask = (build: ServerBuild) => {
    const handle = createRequestHandler(build, 'production');
    return async () => {
      const request = new Request(`${ORIGIN}/dashboard/runs`, { headers: { Cookie: cookie, Accept: 'text/html' } });
      const response = await handle(request, contextOf());
      const html = await response.text();
      if (response.status !== 200 || html.split('<tr').length - 2 < ROWS) throw new Error(`the list was not answered: ${response.status}`);
    };
  };
  const answers = new Map<string, unknown>();
  await ask(recording(pages, answers))();
  const real = ask(pages);
  const constant = ask(fromConstants(pages, languages, answers));
  for (let n = 0; n < WARM_UP; n += 1) {
    await real();
    await constant();
  }
  const spent = { real: 0, constant: 0, database: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    spent.constant += (await cpuOf(constant, requests / ROUNDS)).mine;
    const before = databaseCpuMs();
    spent.real += (await cpuOf(real, requests / ROUNDS)).mine;
    spent.database += databaseCpuMs() - before;
  }
  const whole = spent.real + spent.database;
  return [
    {
      what: 'list of 50 runs for a member: CPU against the same page from a constant',
      value: whole / spent.constant,
      unit: '×',
      limit: 1.5,
      better: 'less',
    },
    { what: '  CPU a request, from a constant', value: spent.constant / requests, unit: 'ms', limit: null, better: 'less' },
    {
      what: `  CPU a request, whole (database ${(spent.database / requests).toFixed(2)} ms of it)`,
      value: whole / requests,
      unit: 'ms',
      limit: null,
      better: 'less',
    },
  ];
}

async function cpuOf(work: () => Promise<void>, times: number): Promise<{ mine: number }> {
  const from = process.cpuUsage();
  for (let n = 0; n < times; n += 1) await work();
  const used = process.cpuUsage(from);
  return { mine: (used.user + used.system) / 1_000 };
}

/** Keeps what each loader answers. */
function recording(build: ServerBuild, answers: Map<string, unknown>): ServerBuild {
  return withRoutes(build, (id, module) => {
    const { loader } = module;
    if (loader === undefined) return module;
    return {
      ...module,
      loader: async (args: Parameters<typeof loader>[0]) => {
        const answer = await loader(args);
        answers.set(id, answer);
        return answer;
      },
    };
  });
}

/** The same routes without anybody who asks: of the middleware, only the language is left. */
function fromConstants(build: ServerBuild, languages: MiddlewareFunction[], answers: ReadonlyMap<string, unknown>): ServerBuild {
  return withRoutes(build, (id, module) => ({
    ...module,
    middleware: id === 'root' ? languages : [],
    ...(module.loader === undefined ? {} : { loader: () => answers.get(id) ?? null }),
  }));
}

/** What `createLoadContext` puts into each request, under the keys of the build. */
async function contextsFor(services: Services): Promise<() => RouterContextProvider> {
  const values: [name: string, value: unknown][] = [
    ['servicesContext', services],
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

/** The build keeps names inside its chunks and shortens them between: `export { servicesContext as c }`. */
async function builtExport(chunkName: string, name: string): Promise<unknown> {
  const { path, url } = chunk(chunkName);
  const short = new RegExp(`\\b${name} as (\\w+)`).exec(readFileSync(path, 'utf8').split('export {').at(-1) ?? '')?.[1] ?? name;
  const module: Record<string, unknown> = await import(url);
  if (module[short] === undefined) throw new Error(`the chunk ${chunkName} gives no ${name} away`);
  return module[short];
}

type RouteModule = NonNullable<ServerBuild['routes'][string]>['module'];

function withRoutes(build: ServerBuild, change: (id: string, module: RouteModule) => object): ServerBuild {
  const routes = Object.fromEntries(
    Object.entries(build.routes).map(([id, route]) => [
      id,
      route === undefined ? undefined : { ...route, module: change(id, route.module) as RouteModule },
    ]),
  );
  return { ...build, routes } as ServerBuild;
}

function servicesOf(bench: BenchWorkspace): Services {
  const { database } = bench;
  const services: Omit<Services, 'engine' | 'mailer' | 'files'> & { engine: { sealer: Services['engine']['sealer'] } } = {
    engine: { sealer: createSealer(SECRET) },
    access: {
      asNobody: (work) => database.app(work),
      asMember: (who, work) => database.asMember(who, work),
      openKey: () => Promise.reject(new Error('the bench has no keys')),
      asTrigger: () => Promise.reject(new Error('the bench has no triggers')),
      createMemberAccess: (member): MemberAccess => ({
        member,
        read: (work) =>
          database.asMember({ userId: member.userId, sessionId: member.sessionId, workspaceId: member.workspace.id }, work, {
            readOnly: true,
          }),
        change: () => Promise.reject(new Error('the bench only reads')),
      }),
    },
    identity: createIdentityBackend({
      mode: 'embedded',
      url: ORIGIN,
      key: '',
      fetch: () => Promise.reject(new Error('the bench asks no auth service')),
      jwtSecret: SECRET,
      cookieName: COOKIE,
    }),
    log: quietLog,
    newId: () => crypto.randomUUID(),
    now: () => new Date(),
    origin: ORIGIN,
    operator: null,
    mailboxOpen: false,
  };
  return services as Services;
}

function sessionCookie({ userId, sessionId }: BenchWorkspace): string {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
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
  const token = `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
  return `${COOKIE}=base64-${part({ access_token: token, refresh_token: 'bench', expires_at: claims.exp })}`;
}
