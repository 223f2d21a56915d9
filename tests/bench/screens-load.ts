import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { type HistorySize, insertHistory } from '#tests/bench/history.ts';
import { type Line, printTable } from '#tests/bench/report.ts';
import { findPlaces, screenAddresses } from '#tests/bench/screen-addresses.ts';
import { startServerUnderTest } from '#tests/bench/server-under-test.ts';
import { type Person, signIn } from '#tests/survival/support/person.ts';

const SCREEN_LIMIT_MS = 150;
/** Of few samples the 95th percentile is the slowest one, whatever slowed it: what is above the limit is asked again, this often. */
const SAMPLES_IN_DOUBT = 100;
const PLACED_WITHIN_MS = 1_200_000;

type Account = { email: string; password: string; roles: string[] };
type Measured = { pattern: string; path: string; role: string; p95: number };

/**
 * Every screen of the dashboard on a long past, as each role gets it: each with its filters, windows and deep pages for who sees
 * everything and for who sees their own, as it first comes for the others. One request at a time, on a server that is warm.
 * Without `filters` what an admin gets at the plain addresses alone. `also` is done on the same server before it ends.
 */
export async function measureScreens(
  directory: string,
  size: HistorySize,
  { samples, filters }: { samples: number; filters: boolean },
  also: (origin: string, admin: { email: string; password: string }) => Promise<void>,
): Promise<Line[]> {
  const server = await startServerUnderTest(directory, { demo: true });
  const client = new pg.Client(loginOf(directory));
  try {
    await client.connect();
    const { rows } = await client.query('select id from quorate.workspaces where is_demo');
    const workspaceId: string = rows[0].id;
    const history = await insertHistory(client, workspaceId, size);
    await waitUntilPlaced(client, workspaceId);
    await client.query('vacuum analyze');
    // What making it has left to be written would be written beside the first screens.
    await client.query('checkpoint');
    const accounts: Account[] = JSON.parse(readFileSync(join(directory, 'demo-accounts.json'), 'utf8'));
    const password = accounts.find((account) => account.roles.includes('builder'))?.password ?? '';
    const people = [
      ...accounts.map((account) => ({ ...account, role: account.roles.at(-1) ?? '' })),
      { email: history.plainUser.email, password, role: 'user' },
    ];
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    const measured: Measured[] = [];
    for (const { role, ...account } of filters ? people : people.filter((one) => one.role === 'admin')) {
      const person = await signIn(origin, account);
      const { rows: found } = await client.query('select id from auth.users where email = $1', [account.email]);
      const all = screenAddresses(await findPlaces(client, workspaceId, found[0].id));
      const whole = filters && (role === 'admin' || role === 'user');
      for (const [pattern, paths] of Object.entries(all))
        for (const path of whole ? paths : paths.slice(0, 1))
          measured.push({ pattern, path, role, p95: await sureTimeOf(person, path, whole ? samples : Math.ceil(samples / 2)) });
    }
    printTable(worstOf(measured, (one) => one.pattern).map((one) => lineOf(`${one.path} (${one.role})`, one.p95)));
    const areas = worstOf(measured, (one) => one.pattern.split('/')[2] ?? '');
    const admin = accounts.find((account) => account.roles.includes('admin'));
    if (admin !== undefined) await also(origin, admin);
    return [
      lineOf(
        `slowest of ${measured.length} addresses of the dashboard on ${size.runs.toLocaleString('en')} runs, p95`,
        Math.max(...measured.map((one) => one.p95)),
      ),
      ...areas.map((one) => lineOf(`  ${one.pattern.split('/').slice(0, 3).join('/')}: ${one.pattern} (${one.role})`, one.p95)),
    ];
  } finally {
    await client.end();
    await server.stop();
  }
}

function loginOf(directory: string): pg.ClientConfig {
  const address = JSON.parse(readFileSync(join(directory, 'database.json'), 'utf8'));
  const password = readFileSync(join(directory, 'database-password'), 'utf8').trim();
  return { ...superuserLogin(address, password), database: address.database };
}

/** The server gives the made events their places in the tree, as it does all others. */
async function waitUntilPlaced(client: pg.Client, workspaceId: string): Promise<void> {
  const deadline = performance.now() + PLACED_WITHIN_MS;
  for (;;) {
    const { rowCount } = await client.query('select from quorate.audit_events where workspace_id = $1 and leaf_index is null limit 1', [
      workspaceId,
    ]);
    if (rowCount === 0) return;
    if (performance.now() > deadline) throw new Error('the made events were not placed in time');
    await pause(500);
  }
}

/** p95 in ms of opening an address; where few samples are in doubt, of many. */
export async function sureTimeOf(person: Person, path: string, samples: number): Promise<number> {
  const p95 = await timeOf(person, path, samples);
  return p95 <= SCREEN_LIMIT_MS ? p95 : timeOf(person, path, SAMPLES_IN_DOUBT);
}

/** p95 of the time from the request to the end of its answer, in ms. */
async function timeOf(person: Person, path: string, samples: number): Promise<number> {
  const times: number[] = [];
  for (let n = -2; n < samples; n += 1) {
    const began = performance.now();
    const answer = await person.get(path);
    await answer.text();
    if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`);
    if (n >= 0) times.push(performance.now() - began);
  }
  return p95(times);
}

export function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

function worstOf(measured: readonly Measured[], groupOf: (one: Measured) => string): Measured[] {
  const worst = new Map<string, Measured>();
  for (const one of measured) if (one.p95 > (worst.get(groupOf(one))?.p95 ?? -1)) worst.set(groupOf(one), one);
  return [...worst.values()].sort((a, b) => b.p95 - a.p95);
}

const lineOf = (what: string, value: number): Line => ({ what, value, unit: 'ms', limit: SCREEN_LIMIT_MS, better: 'less' });
