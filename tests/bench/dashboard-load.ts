import { setTimeout as pause } from 'node:timers/promises';
import { createRequestHandler, type MiddlewareFunction, type ServerBuild } from 'react-router';
import type { BenchWorkspace } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';
import { builtExport, contextsOn, importBuild, PAGES_ORIGIN, sessionCookie } from '#tests/support/built-pages.ts';

const ROWS = 50;
/** A server has drawn thousands of pages before it is compiled as far as it will be. */
const WARM_UP = 1_500;
/** Turn about, often: a machine that becomes slower meanwhile does so for both. */
const ROUNDS = 50;

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
  const pages = await importBuild();
  const contextOf = await contextsOn(bench.database);
  const languages = (await builtExport('i18n.server', 'languageMiddleware')) as MiddlewareFunction[];
  let cookie = sessionCookie(bench);
  const ask = (build: ServerBuild) => {
    const handle = createRequestHandler(build, 'production');
    return async () => {
      const request = new Request(`${PAGES_ORIGIN}/dashboard/runs`, { headers: { Cookie: cookie, Accept: 'text/html' } });
      const response = await handle(request, contextOf());
      const html = await response.text();
      // As a browser does: what the first page of a session has set is sent with all that follow.
      const set = response.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
      if (set.length > 0) cookie = [cookie, ...set].join('; ');
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
  // Plans of a database in use; and what earlier parts left it to do (texts to index, rows to vacuum) is done first.
  await bench.owner.query('vacuum analyze');
  await untilIdle(databaseCpuMs);
  const spent = { real: 0, constant: 0, database: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    // The database works on its own in either round, as long as the round lasts.
    const alone = await during(databaseCpuMs, async () => {
      spent.constant += await cpuOf(constant, requests / ROUNDS);
    });
    const asked = await during(databaseCpuMs, async () => {
      spent.real += await cpuOf(real, requests / ROUNDS);
    });
    spent.database += asked.cpuMs - (alone.cpuMs / alone.wallMs) * asked.wallMs;
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

async function during(databaseCpuMs: () => number, work: () => Promise<void>): Promise<{ cpuMs: number; wallMs: number }> {
  const [cpu, wall] = [databaseCpuMs(), performance.now()];
  await work();
  return { cpuMs: databaseCpuMs() - cpu, wallMs: performance.now() - wall };
}

/** A twentieth of a core, a second long. */
const IDLE_SHARE = 0.05;
const MOST_REST_S = 180;

async function untilIdle(databaseCpuMs: () => number): Promise<void> {
  for (let second = 0; second < MOST_REST_S; second += 1) {
    const { cpuMs, wallMs } = await during(databaseCpuMs, () => pause(1_000));
    if (cpuMs < wallMs * IDLE_SHARE) return;
  }
  throw new Error(`the database has not come to rest in ${MOST_REST_S} s`);
}

async function cpuOf(work: () => Promise<void>, times: number): Promise<number> {
  const from = process.cpuUsage();
  for (let n = 0; n < times; n += 1) await work();
  const used = process.cpuUsage(from);
  return (used.user + used.system) / 1_000;
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

/** The same routes without anyone who asks: of the middleware, only the language is left. */
function fromConstants(build: ServerBuild, languages: MiddlewareFunction[], answers: ReadonlyMap<string, unknown>): ServerBuild {
  return withRoutes(build, (id, module) => ({
    ...module,
    middleware: id === 'root' ? languages : [],
    ...(module.loader === undefined ? {} : { loader: () => answers.get(id) ?? null }),
  }));
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
