import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 as newId } from 'uuid';
import type { BenchWorkspace, Workflow } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';
import type { ServerUnderTest } from '#tests/bench/server-under-test.ts';

const ONE_STEP = {
  input: [{ name: 'n', title: 'Number', type: 'number' }],
  steps: [{ id: 'double', name: 'Double', kind: 'transform', expression: 'input.n * 2' }],
};
/** So many calls of each kind as are measured, times this, go before them: calls get cheaper until most of their code is compiled. */
const WARM_UP = 1.5;
const WARM_UP_CLIENTS = 10;
/** A key takes so many calls a minute. */
const CALLS_A_KEY = 500;
/** Measured by short turns, so that no kind of call has a better hour than another: what the database does beside them takes seconds. */
const TURNS = 10;
/** A connection that has rested so long is given up by the caller: the server closes it after five seconds. */
const IDLE_MS = 2_500;
const OPENED_AT_ONCE = 8;
/** Until what opening them has cost is over: registered, read once, and looked at once by turns. */
const SETTLE_MS = 10_000;

export async function addKey(bench: BenchWorkspace): Promise<string> {
  const secret = `qk_${randomBytes(32).toString('base64url')}`;
  await bench.arrange(async (client) => {
    await client.query(
      `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Bench', $4, $5, '{runs:read,runs:start,workflows:read}')`,
      [newId(), bench.workspaceId, bench.userId, secret.slice(0, 9), createHash('sha256').update(secret).digest()],
    );
  });
  return secret;
}

/**
 * How much later a program has its answer than someone who starts the same run inside the product. Both are measured with as many at once:
 * callers and runs share the machine's cores, so that a run among ten takes longer than one alone, whoever starts it. In process: from the
 * begin of the transaction that starts a run (that of a member's command) to the run's end, as its row says. From outside: from the request
 * to the last byte of the answer on a connection that stays open, without the work of a client's library. Percentiles are subtracted, since
 * no call has a twin in process. The CPU is that of the server and its database; of all figures it depends least on what else runs here.
 */
export async function measureServedCalls(server: ServerUnderTest, bench: BenchWorkspace, calls: number): Promise<Line[]> {
  const workflow = await bench.addWorkflow({ ...ONE_STEP });
  const door: Door = { server, bench, workflow, ends: watchEnds(bench) };
  for (const [, open] of DOORS) await warmUp(door, open, calls * WARM_UP);
  // Plans of a database in use, not those of the empty one.
  await bench.owner.query('vacuum analyze');
  const lines: Line[] = [];
  for (const clients of [1, 10, 50]) {
    const limits = clients <= 10 ? BARS : { p50: null, p95: null };
    const [inside, ...served] = await measureByTurns(door, clients, calls);
    if (inside === undefined) throw new Error('nothing was measured');
    lines.push(line(`run in process p50, ${named(clients)}`, at(inside.times, 0.5), null), line('  p95', at(inside.times, 0.95), null));
    for (const { name, times, cpuMs } of served) {
      lines.push(
        line(`${name} beyond the run p50, ${named(clients)}`, at(times, 0.5) - at(inside.times, 0.5), limits.p50),
        line('  p95', at(times, 0.95) - at(inside.times, 0.95), limits.p95),
        line('  whole call p50', at(times, 0.5), null),
        line('  CPU of the whole call, database included', cpuMs / times.length, null),
      );
    }
  }
  return lines;
}

type Door = { server: ServerUnderTest; bench: BenchWorkspace; workflow: Workflow; ends: ReturnType<typeof watchEnds> };
/** Makes one run with this input, and answers how long it took in ms. */
export type Call = (n: number) => Promise<number>;

const BARS = { p50: 5, p95: 25 };
const LOOK_MS = 2;

/** The first is the run in process. Each caller keeps what it has opened: a key and a connection. */
async function measureByTurns(door: Door, clients: number, calls: number) {
  const each = Math.min(Math.ceil(calls / TURNS / clients), CALLS_A_KEY / 2 / TURNS);
  const measured = await Promise.all(
    DOORS.map(async ([name, open]) => {
      const callers = await Promise.all(Array.from({ length: clients }, () => open(door)));
      return { name, callers, times: [] as number[], cpuMs: 0 };
    }),
  );
  // Connections of this many callers are opened, and plans made in each.
  for (const { callers } of measured) await callAll(callers, each);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const one of measured) {
      const before = cpuOf(door.server);
      one.times.push(...(await callAll(one.callers, each)));
      one.cpuMs += cpuOf(door.server) - before;
    }
  return measured;
}

async function warmUp(door: Door, open: (door: Door) => Promise<Call>, calls: number): Promise<void> {
  for (let left = calls; left > 0; left -= WARM_UP_CLIENTS * (CALLS_A_KEY / 2)) {
    const callers = await Promise.all(Array.from({ length: WARM_UP_CLIENTS }, () => open(door)));
    await callAll(callers, Math.ceil(Math.min(left / WARM_UP_CLIENTS, CALLS_A_KEY / 2)));
  }
}

async function callAll(callers: readonly Call[], each: number): Promise<number[]> {
  const times: number[] = [];
  const callOften = async (call: Call) => {
    for (let n = 0; n < each; n += 1) times.push(await call(n));
  };
  await Promise.all(callers.map(callOften));
  return times;
}

export function cpuOf(server: ServerUnderTest): number {
  const used = server.cpuMs();
  return used.server + used.database;
}

async function runInProcess({ bench, workflow, ends }: Door, n: number): Promise<number> {
  const began = performance.timeOrigin + performance.now();
  return (await ends.of(await bench.start(workflow, { n }))) - began;
}

/**
 * When runs have ended, as their rows say, in ms since 1970. One look for all who wait: with a look and a pause of their own, callers were
 * idle for a fifth of the time and cost the database a third of what a run does, so that they were not as many at once as those from outside.
 */
function watchEnds(bench: BenchWorkspace) {
  const waiting = new Map<string, (ended: number) => void>();
  const look = async () => {
    while (waiting.size > 0) {
      await pause(LOOK_MS);
      const { rows } = await bench.owner.query<{ id: string; ended: number }>({
        name: 'ended',
        text: 'select id, (extract(epoch from finished_at) * 1000)::float8 as ended from quorate.runs where id = any ($1) and finished_at is not null',
        values: [[...waiting.keys()]],
      });
      for (const { id, ended } of rows) {
        waiting.get(id)?.(ended);
        waiting.delete(id);
      }
    }
  };
  return {
    of(id: string): Promise<number> {
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        if (waiting.size === 1) look().catch(reject);
      });
    },
  };
}

const DOORS: readonly [string, (door: Door) => Promise<Call>][] = [
  ['run in process', async (door) => (n) => runInProcess(door, n)],
  ['MCP call', openMcp],
  ['A2A message', (door) => openA2a(door, 'message:send')],
  ['A2A stream', (door) => openA2a(door, 'message:stream')],
];

async function openMcp({ server, bench }: Door): Promise<Call> {
  return recordMcp(new URL(`${server.origin}/mcp/${bench.workspaceId}`), await addKey(bench), '"completed"');
}

/** Sends again what the SDK's client has sent for its first call of the tool that takes a number, with other numbers. `done`: in a right answer. */
export async function recordMcp(address: URL, key: string, done: string): Promise<Call> {
  let sent: { headers: Headers; body: string } | undefined;
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const recording: typeof fetch = (input, init) => {
    sent = { headers: new Headers(init?.headers), body: String(init?.body) };
    return fetch(input, init);
  };
  await client.connect(new StreamableHTTPClientTransport(address, { fetch: recording, authProvider: { token: async () => key } }));
  const { tools } = await client.listTools();
  const name = tools.find((tool) => Object.hasOwn(tool.inputSchema.properties ?? {}, 'n'))?.name ?? '';
  await client.callTool({ name, arguments: { n: 0 } });
  await client.close();
  if (sent === undefined) throw new Error('nothing was sent');
  const headers = Object.fromEntries(sent.headers);
  const message = JSON.parse(sent.body);
  return openConnection(address, headers, (n) => ({ ...message, id: n, params: { ...message.params, arguments: { n } } }), done);
}

async function openA2a({ server, bench, workflow }: Door, method: string): Promise<Call> {
  const key = await addKey(bench);
  const address = new URL(`${server.origin}/a2a/${bench.workspaceId}/${workflow.artifactId}/rest/${method}`);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'a2a-version': '1.0' };
  const messageOf = (n: number) => ({ message: { messageId: newId(), role: 'ROLE_USER', parts: [{ data: { n } }] } });
  return openConnection(address, headers, messageOf, 'TASK_STATE_COMPLETED');
}

/** `done` stands in the answer to a run that has completed. */
function openConnection(address: URL, headers: Record<string, string>, bodyOf: (n: number) => unknown, done: string): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: IDLE_MS });
  return async (n) => {
    const body = JSON.stringify(bodyOf(n));
    const began = performance.now();
    const asked = request(address, { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    asked.end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const answer = await text(response);
    const took = performance.now() - began;
    if (response.statusCode !== 200 || !answer.includes(done)) throw new Error(`${response.statusCode}: ${answer}`);
    return took;
  };
}

/** What callers cost who wait and to whom nothing happens: each follows a run of its own that waits, over a connection of its own. */
export async function measureWaitingCallers(
  server: ServerUnderTest,
  bench: BenchWorkspace,
  callers: number,
  seconds: number,
): Promise<Line[]> {
  const workflow = await bench.addWorkflow({ ...ONE_STEP });
  const before = await cpuShare(server, seconds);
  const runs = await addWaitingRuns(bench, workflow, callers);
  const keys = await Promise.all(Array.from({ length: Math.ceil(callers / CALLS_A_KEY) }, () => addKey(bench)));
  const leave = new AbortController();
  const streams: Promise<unknown>[] = [];
  let next = 0;
  const openSome = async () => {
    for (let n = next++; n < runs.length; n = next++) {
      const response = await fetch(`${server.origin}/a2a/${bench.workspaceId}/${workflow.artifactId}/rest/tasks/${runs[n]}:subscribe`, {
        headers: { authorization: `Bearer ${keys[n % keys.length]}`, 'A2A-Version': '1.0', accept: 'text/event-stream' },
        signal: leave.signal,
      });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      streams.push(response.text().catch(() => ''));
    }
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openSome));
  await pause(SETTLE_MS);
  const waiting = await cpuShare(server, seconds);
  leave.abort();
  await Promise.all(streams);
  return [
    {
      what: `CPU of ${callers} waiting callers, database included`,
      value: waiting - before,
      unit: '% of a core',
      limit: 2,
      better: 'less',
    },
    { what: '  without them', value: before, unit: '% of a core', limit: null, better: 'less' },
  ];
}

async function addWaitingRuns(bench: BenchWorkspace, workflow: Workflow, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await bench.arrange(async (client) => {
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, waiting_since, started_at)
       select id, $2, $3, $4, 'live', $5, 'waiting', now(), now() from unnest($1::uuid[]) as id`,
      [ids, bench.workspaceId, workflow.artifactId, workflow.versionId, bench.userId],
    );
  });
  return ids;
}

/** Percent of one core that the server and its database use. */
async function cpuShare(server: ServerUnderTest, seconds: number): Promise<number> {
  const before = server.cpuMs();
  const from = performance.now();
  await pause(seconds * 1_000);
  const after = server.cpuMs();
  return ((after.server - before.server + after.database - before.database) / (performance.now() - from)) * 100;
}

const named = (clients: number) => (clients === 1 ? 'one client' : `${clients} clients`);
const line = (what: string, value: number, limit: number | null): Line => ({ what, value, unit: 'ms', limit, better: 'less' });
export function at(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
