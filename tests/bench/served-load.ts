import { createHash, randomBytes } from 'node:crypto';
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
const WARM_UP = 40;
/** A key takes so many calls a minute. */
const CALLS_A_KEY = 400;
const OPENED_AT_ONCE = 8;
/** Until what opening them has cost is over: registered, read once, and looked at once by turns. */
const SETTLE_MS = 10_000;

async function addKey(bench: BenchWorkspace): Promise<string> {
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
 * What a call of a tool takes beyond the run that it starts: from the request to the answer, as the SDK's client sees it, less the time
 * between the run's row and its end.
 */
export async function measureServedCalls(server: ServerUnderTest, bench: BenchWorkspace, calls: number): Promise<Line[]> {
  await bench.addWorkflow({ ...ONE_STEP });
  const lines: Line[] = [];
  for (const clients of [1, 10, 50]) {
    const { overheads, wholes } = await callWith(server, bench, clients, calls);
    const held = clients <= 10;
    lines.push(
      line(`served call beyond its run p50, ${named(clients)}`, at(overheads, 0.5), held ? 5 : null),
      line('  p95', at(overheads, 0.95), held ? 25 : null),
      line('  whole call p50', at(wholes, 0.5), null),
    );
  }
  return lines;
}

async function callWith(server: ServerUnderTest, bench: BenchWorkspace, clients: number, calls: number) {
  const overheads: number[] = [];
  const wholes: number[] = [];
  const each = Math.min(CALLS_A_KEY, Math.ceil(calls / clients));
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const key = await addKey(bench);
      const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      const address = new URL(`${server.origin}/mcp/${bench.workspaceId}`);
      await client.connect(new StreamableHTTPClientTransport(address, { authProvider: { token: async () => key } }));
      const { tools } = await client.listTools();
      const name = tools.find((tool) => Object.hasOwn(tool.inputSchema.properties ?? {}, 'n'))?.name ?? '';
      const seen = new Map<string, number>();
      for (let n = 0; n < each + WARM_UP / clients; n += 1) {
        const from = performance.now();
        const { structuredContent } = await client.callTool({ name, arguments: { n } });
        const { runId, status } = structuredContent as { runId: string; status: string };
        if (status !== 'completed') throw new Error(`the run is ${status}`);
        if (n >= WARM_UP / clients) seen.set(runId, performance.now() - from);
      }
      await client.close();
      const { rows } = await bench.owner.query<{ id: string; ms: number }>(
        'select id, (extract(epoch from finished_at - created_at) * 1000)::float8 as ms from quorate.runs where id = any ($1)',
        [[...seen.keys()]],
      );
      for (const { id, ms } of rows) {
        overheads.push((seen.get(id) ?? Number.NaN) - ms);
        wholes.push(seen.get(id) ?? Number.NaN);
      }
    }),
  );
  return { overheads, wholes };
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
function at(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
