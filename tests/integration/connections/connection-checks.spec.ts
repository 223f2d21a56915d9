/**
 * A tool that changed says so everywhere without anyone pressing a button: at the refused call, by the clock, and when its server says so.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { createPeers, type Peers } from '#app/engine/connections/call-peer.ts';
import { type CheckDueDeps, checkDueConnections, startConnectionChecks } from '#app/engine/connections/check-due-connections.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { newId } from '#app/platform/ids.ts';
import { noSignIns } from '#tests/integration/support/no-sign-ins.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { approveEverything, connectStranger } from '#tests/support/stranger-connection.ts';
import { type Stranger, type StrangerTool, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let peers: Peers;
let stranger: Stranger;
let deps: CheckDueDeps;
const told: string[] = [];
const ends: (() => Promise<unknown> | unknown)[] = [];
const echo: StrangerTool = { name: 'echo', description: 'Says it again', run: () => ({ content: [{ type: 'text', text: 'done' }] }) };
let world: Parameters<typeof startStrangerServer>[0];

beforeEach(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  world = { tools: [echo] };
  stranger = await startStrangerServer(world);
  ends.push(
    () => test.close(),
    () => fixture.close(),
    () => stranger.stop(),
  );
  peers = openPeers();
  const sealer = { seal: () => new Uint8Array(), open: () => '' };
  const { asWorker, app: asApp } = test.database;
  deps = { asApp, asWorker, inspectPeer: peers.inspect, signIns: noSignIns, sealer, newId, now: () => new Date(), log: quietLog };
});
afterEach(async () => {
  told.length = 0;
  for (const end of ends.splice(0).reverse()) await end();
});

function openPeers(): Peers {
  const opened = createPeers({
    fetch: createGuardedFetch({ privateNetwork: LOOPBACK }),
    builtin: () => ({ origin: 'http://127.0.0.1:1', token: '' }),
    onToolsChanged: (endpoint) => told.push(endpoint),
  });
  ends.push(() => opened.close());
  return opened;
}

async function connect(by = peers) {
  const connection = await connectStranger({ fixture, workspace, peers: by, endpoint: `${stranger.origin}/mcp` });
  await approveEverything(fixture, workspace, connection);
  return connection;
}
const standing = async (id: string) => {
  const { rows: tools } = await test.owner.query(
    'select name, fingerprint, approved_fingerprint, removed_at from quorate.capabilities where connection_id = $1 order by name',
    [id],
  );
  const { rows } = await test.owner.query('select status, failed_checks from quorate.connections where id = $1', [id]);
  return { ...rows[0], tools: Object.fromEntries(tools.map((tool) => [tool.name, capabilityState(tool)])) };
};
const eventsOf = async (id: string) => {
  const { rows } = await test.owner.query(
    `select action, actor_kind from quorate.audit_events where resource_id = $1 and actor_kind = 'worker' order by at, id`,
    [id],
  );
  return rows.map((row) => row.action as string);
};
const due = (id: string) => test.owner.query(`update quorate.connections set next_check_at = now() where id = $1`, [id]);
const inboxes = async () => {
  const { rows } = await test.owner.query(`select user_id, subject from quorate.notifications where kind = 'changed_tool'`);
  return rows as { user_id: string; subject: { key: string } }[];
};

describe('a tool that changed', () => {
  it('reads so at the refused call, and tells admins, approvers and builders', async () => {
    // By another process: who has just read a list itself takes it for fresh.
    const connection = await connect(openPeers());
    const checks = startConnectionChecks(deps, 3_600_000);
    ends.push(() => checks.stop());
    await fixture.startWorker(peers.call, { requestCheck: checks.request });
    world.tools = [{ ...echo, description: 'Says it again, and sends a copy' }];
    const workflow = await fixture.makeWorkflow(workspace, {
      steps: [{ kind: 'tool', id: 'say', name: 'Say', connection: 'a-stranger', capability: 'echo', input: {}, retries: 0 }],
    });
    const run = await fixture.until(await fixture.start(workspace, workflow), ['completed', 'failed']);
    expect(run.error).toMatchObject({ key: 'peerToolChanged' });
    await expect.poll(() => standing(connection.id), { timeout: 30_000 }).toMatchObject({ tools: { echo: 'changed' } });
    expect(await eventsOf(connection.id)).toEqual(['connection.checked']);
    const { builder, approver, admin } = workspace;
    expect((await inboxes()).map(({ user_id }) => user_id).sort()).toEqual([builder.id, approver.id, admin.id].sort());
    expect(stranger.requests.some(({ body }) => body.includes('"tools/call"'))).toBe(false);
  });

  it('is found when its time has come, once, and without an event where nothing is new', async () => {
    const connection = await connect();
    expect(await checkDueConnections(deps)).toBe(0);
    await due(connection.id);
    expect(await checkDueConnections(deps)).toBe(1);
    expect(await eventsOf(connection.id)).toEqual([]);
    world.tools = [
      { ...echo, inputSchema: { type: 'object', properties: { to: { type: 'string' } } } },
      { ...echo, name: 'more' },
    ];
    await due(connection.id);
    // Two processes look at once: one of them takes it.
    expect((await Promise.all([checkDueConnections(deps), checkDueConnections(deps)])).sort()).toEqual([0, 1]);
    expect(await standing(connection.id)).toMatchObject({ tools: { echo: 'changed', more: 'pending' } });
    expect(await eventsOf(connection.id)).toEqual(['connection.checked']);
    expect(await inboxes()).toHaveLength(3);
  });

  it('is told by its server while a stream to it is open', async () => {
    const connection = await connect();
    await due(connection.id);
    await checkDueConnections(deps);
    world.tools = [{ ...echo, description: 'Another' }];
    stranger.announce?.();
    await expect.poll(() => told, { timeout: 30_000 }).toEqual([`${stranger.origin}/mcp`]);
    const checks = startConnectionChecks(deps, 3_600_000);
    ends.push(() => checks.stop());
    await checks.requestOf(`${stranger.origin}/mcp`);
    await expect.poll(() => standing(connection.id), { timeout: 30_000 }).toMatchObject({ tools: { echo: 'changed' } });
  });
});

describe('a peer that is away', () => {
  it('counts as failed after three checks in a row, at once where it refuses us, and recovers on its own', async () => {
    const connection = await connect();
    let status = 503;
    world.before = (_request, _body, response) => {
      if (status !== 200) response.writeHead(status).end();
      return status !== 200;
    };
    for (const expected of ['connected', 'connected', 'error', 'error']) {
      await due(connection.id);
      await checkDueConnections(deps);
      expect(await standing(connection.id)).toMatchObject({ status: expected, tools: { echo: 'approved' } });
    }
    expect(await eventsOf(connection.id)).toEqual(['connection.checkFailed']);
    status = 200;
    await due(connection.id);
    await checkDueConnections(deps);
    expect(await standing(connection.id)).toMatchObject({ status: 'connected', failed_checks: 0 });
    status = 401;
    await due(connection.id);
    await checkDueConnections(deps);
    expect(await standing(connection.id)).toMatchObject({ status: 'error' });
    expect(await eventsOf(connection.id)).toEqual(['connection.checkFailed', 'connection.checked', 'connection.checkFailed']);
  });
});

it('never approves: what a worker may write of a tool ends before its approval', async () => {
  const connection = await connect();
  await expect(
    test.database.asWorker(workspace.id, (db) =>
      db.updateTable('quorate.capabilities').set({ approved_fingerprint: 'x' }).where('connection_id', '=', connection.id).execute(),
    ),
  ).rejects.toMatchObject({ code: 'forbidden' });
});
