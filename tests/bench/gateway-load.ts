import { setTimeout as pause } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import type { Json } from '#app/contracts/json.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { gatewayDocument } from '#app/engine/gateways/gateway-document.ts';
import type { BenchWorkspace } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';
import { addKey, at, type Call, cpuOf, recordMcp } from '#tests/bench/served-load.ts';
import type { ServerUnderTest } from '#tests/bench/server-under-test.ts';
import { startStrangerServer } from '#tests/support/stranger-peers.ts';

const CALLS_A_SECOND = 50;
/** A connection each; one has its answer long before it is asked again. */
const CALLERS = 20;
const TURNS = 4;
const ADDRESS = 'bench';

const ECHO = {
  name: 'echo',
  description: 'Says a number',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }: Record<string, unknown>) => ({ content: [{ type: 'text' as const, text: `said ${String(n)}` }] }),
};

/**
 * How much later a caller has the answer of a tool through a gateway than straight from the tool's server, at 50 calls a second. The tool
 * does nothing, in this process. Both ways take turns; calls leave by the clock, whether those before have their answer or not. Percentiles
 * are subtracted, since no call has a twin on the other way.
 */
export async function measureGateway(server: ServerUnderTest, bench: BenchWorkspace, seconds: number): Promise<Line[]> {
  const stranger = await startStrangerServer({ tools: [ECHO] });
  try {
    await addGateway(bench, stranger.origin);
    const through = new URL(`${server.origin}/mcp/${bench.workspaceId}/${ADDRESS}`);
    const keys = await Promise.all(Array.from({ length: CALLERS }, () => addKey(bench)));
    const ways = {
      direct: { callers: await Promise.all(keys.map((key) => recordMcp(new URL(stranger.origin), key, 'said'))), times: [] as number[] },
      gateway: { callers: await Promise.all(keys.map((key) => recordMcp(through, key, 'said'))), times: [] as number[] },
    };
    for (const { callers } of Object.values(ways)) await callByTheClock(callers, seconds / 2);
    await bench.owner.query('vacuum analyze');
    let cpuMs = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      ways.direct.times.push(...(await callByTheClock(ways.direct.callers, seconds / TURNS)));
      const before = cpuOf(server);
      ways.gateway.times.push(...(await callByTheClock(ways.gateway.callers, seconds / TURNS)));
      cpuMs += cpuOf(server) - before;
    }
    const { direct, gateway } = ways;
    return [
      line('call through a gateway beyond the direct call p50, 50 a second', at(gateway.times, 0.5) - at(direct.times, 0.5), 8),
      line('  p95', at(gateway.times, 0.95) - at(direct.times, 0.95), 25),
      line('  whole call p50', at(gateway.times, 0.5), null),
      line('  direct call p50', at(direct.times, 0.5), null),
      line('  CPU of the whole call, database included', cpuMs / gateway.times.length, null),
    ];
  } finally {
    await stranger.stop();
  }
}

async function callByTheClock(callers: readonly Call[], seconds: number): Promise<number[]> {
  const began = performance.now();
  const calls: Promise<number>[] = [];
  for (let n = 0; n < seconds * CALLS_A_SECOND; n += 1) {
    const wait = began + (n * 1_000) / CALLS_A_SECOND - performance.now();
    if (wait > 0) await pause(wait);
    const call = callers[n % callers.length];
    if (call !== undefined) calls.push(call(n));
  }
  return Promise.all(calls);
}

/** A gateway with the one tool of the server at this address. */
async function addGateway(bench: BenchWorkspace, endpoint: string): Promise<void> {
  const peers = createPeers({ fetch, builtin: () => ({ origin: '', token: '' }) });
  const { capabilities } = await peers.inspect({ kind: 'mcp', endpoint, credential: null });
  await peers.close();
  await bench.addConnection('mcp', 'stranger', endpoint, capabilities);
  const [tool] = capabilities;
  if (tool === undefined) throw new Error('no tool');
  const { rows } = await bench.owner.query<{ id: string }>(
    `select c.id from quorate.capabilities c join quorate.connections n on n.id = c.connection_id where n.workspace_id = $1 and n.slug = 'stranger'`,
    [bench.workspaceId],
  );
  const target = { connection: 'stranger', capability: tool.name, title: tool.title, inputSchema: tool.inputSchema as Json };
  const documents = [EMPTY_WORKFLOW, gatewayDocument(target, { name: tool.name, fixed: {} })];
  const [gateway, versions] = [newId(), documents.map(() => newId())];
  await bench.arrange(async (client) => {
    await client.query(
      `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'gateway', 'Bench', $3, 'active')`,
      [gateway, bench.workspaceId, bench.userId],
    );
    for (const [index, document] of documents.entries())
      await client.query(
        `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, $4, $5, 'bench', $6)`,
        [versions[index], bench.workspaceId, gateway, index + 1, JSON.stringify({ ...document, agents: {}, bindings: [] }), bench.userId],
      );
    await client.query('update quorate.artifacts set published_version_id = $2 where id = $1', [gateway, versions[0]]);
    await client.query('insert into quorate.gateways (artifact_id, workspace_id, address) values ($1, $2, $3)', [
      gateway,
      bench.workspaceId,
      ADDRESS,
    ]);
    await client.query(
      `insert into quorate.gateway_tools (id, workspace_id, gateway_id, capability_id, name, fingerprint, version_id) values ($1, $2, $3, $4, $5, $6, $7)`,
      [newId(), bench.workspaceId, gateway, rows[0]?.id, tool.name, tool.fingerprint, versions[1]],
    );
  });
}

const line = (what: string, value: number, limit: number | null): Line => ({ what, value, unit: 'ms', limit, better: 'less' });
