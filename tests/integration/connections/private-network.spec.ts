/** What a workspace reaches inside: nothing until its admin lists it within the instance's list, by whatever door a call leaves. */
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { Json } from '#app/contracts/json.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { PeerAddress } from '#app/contracts/peer.ts';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { createPeers, type Peers } from '#app/engine/connections/call-peer.ts';
import { checkConnection } from '#app/engine/connections/check-connection.ts';
import { checkDueConnections } from '#app/engine/connections/check-due-connections.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { deliverDue } from '#app/engine/jobs/deliver.ts';
import { connectAction } from '#app/features/connections/connect/connect-action.server.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { createModels } from '#app/platform/models/models.server.ts';
import { noticeWriter } from '#app/platform/notice-words.server.ts';
import { openControlDesk } from '#tests/integration/support/control-desk.ts';
import { noSignIns } from '#tests/integration/support/no-sign-ins.ts';
import { contextsOn, importBuild, PAGES_ORIGIN, sessionCookie } from '#tests/support/built-pages.ts';
import { LOOPBACK, LOOPBACK_LIST, LOOPBACK_SETTING } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { approveEverything, connectStranger } from '#tests/support/stranger-connection.ts';
import { type Stranger, type StrangerTool, startStranger, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const NOTHING: WorkspaceNetwork = [];
const echo: StrangerTool = { name: 'echo', description: 'Says it again', run: () => ({ content: [{ type: 'text', text: 'done' }] }) };
const sealer = { seal: () => new Uint8Array(), open: () => '' };
let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let peers: Peers;
let fetch: ReturnType<typeof createGuardedFetch>;
let pages: ServerBuild;
let contexts: () => RouterContextProvider;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  fetch = createGuardedFetch({ privateNetwork: LOOPBACK });
  peers = createPeers({ fetch, builtin: () => ({ origin: 'http://127.0.0.1:1', token: '' }), models: createModels() });
  pages = await importBuild();
  contexts = await contextsOn(test.database, { inspectPeer: peers.inspect, enqueueRun: fixture.enqueueRun });
  await fixture.startWorker(peers.call);
});
afterAll(async () => {
  await fixture.close();
  await peers.close();
  await fetch.close();
  await test.close();
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace({ privateNetwork: NOTHING });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server of this machine that knows no protocol and counts who asks. */
async function silent(): Promise<Stranger> {
  const stranger = await startStranger((_request, _body, response) => void response.writeHead(404).end());
  ends.push(() => stranger.stop());
  return stranger;
}
async function mcpServer(): Promise<Stranger> {
  const stranger = await startStrangerServer({ tools: [echo] });
  ends.push(() => stranger.stop());
  return stranger;
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof PeerError ? error.failure.key : String(error)),
  );
async function ask(member: TestMember, path: string, form?: Record<string, string>) {
  const cookie = `${sessionCookie({ userId: member.id, sessionId: member.sessionId })}; workspace=${workspace.id}`;
  const headers = { cookie, 'accept-language': 'en', origin: PAGES_ORIGIN };
  const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams({ workspace: workspace.id, ...form }) };
  const answer = await createRequestHandler(pages, 'production')(new Request(`${PAGES_ORIGIN}${path}`, { headers, ...body }), contexts());
  return { status: answer.status, html: (await answer.text()).replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '') };
}
/** What an action of the builder is handed, on the peers of this test. */
function builderContext(): RouterContextProvider {
  const { id, name, roles, sessionId } = workspace.builder;
  const member = { userId: id, name, roles, sessionId, workspace };
  const context = new RouterContextProvider();
  context.set(memberContext, {
    member: member as unknown as MemberAccess['member'],
    read: (work) => test.database.asMember({ userId: id, sessionId, workspaceId: workspace.id }, work),
    change: (work) => fixture.asMember(workspace, workspace.builder, work),
  });
  const services = { engine: { inspectPeer: peers.inspect, signIns: noSignIns, sealer }, newId, now: () => new Date() };
  context.set(servicesContext, services as unknown as Services);
  return context;
}
/** As an admin asks for it, and an approver agrees. */
async function configure(privateNetwork: string) {
  const answer = await ask(workspace.admin, '/dashboard/admin/tenant', { intent: 'network', privateNetwork, reason: 'Needed inside' });
  const { rows } = await test.owner.query("select id from quorate.control_changes where workspace_id = $1 and status = 'pending'", [
    workspace.id,
  ]);
  for (const { id } of rows) await openControlDesk(test, fixture, workspace).vote(workspace.approver, id);
  return answer;
}
const storedNetwork = async () =>
  (await test.owner.query('select private_network from quorate.workspaces where id = $1', [workspace.id])).rows[0].private_network as Json;

describe('a call to a peer', () => {
  const kinds: { kind: PeerAddress['kind']; settings?: Json; name: string }[] = [
    { kind: 'mcp', name: 'echo' },
    { kind: 'a2a', name: 'echo' },
    { kind: 'model', settings: { provider: 'openai', prices: {} }, name: 'small-1' },
    { kind: 'app', settings: { partner: 'n8n' }, name: 'list_workflows' },
  ];
  it.each(kinds)('of kind $kind reaches only what its workspace lists', async ({ kind, settings, name }) => {
    const stranger = await silent();
    const inspect = (privateNetwork: WorkspaceNetwork) =>
      failureOf(peers.inspect({ kind, endpoint: stranger.origin, credential: 'key', privateNetwork, ...(settings ? { settings } : {}) }));
    const call = (privateNetwork: WorkspaceNetwork) =>
      failureOf(
        peers.call({
          peer: { kind, endpoint: stranger.origin, credential: 'key', privateNetwork, ...(settings ? { settings } : {}) },
          capability: { name, fingerprint: '' },
          input: { prompt: 'Say it again' },
          idempotencyKey: 'run/step',
          timeoutMs: 10_000,
          signal: new AbortController().signal,
        }),
      );
    for (const door of [inspect, call]) {
      const asked = stranger.requests.length;
      expect(await door(LOOPBACK_LIST)).not.toBe('peerAddressRefused');
      const reached = stranger.requests.length;
      if (kind !== 'app' || door === inspect) expect(reached).toBeGreaterThan(asked);
      // Sockets and sessions of the one before are open: none of them serves a workspace without the entry.
      for (const list of [NOTHING, ['10.0.0.0/8'], ['models.internal']]) expect(await door(list)).not.toBe('answered');
      expect(stranger.requests.length).toBe(reached);
      expect(await door('instance')).not.toBe('peerAddressRefused');
    }
  });

  it('takes nothing from a workspace that the instance does not list', async () => {
    const closed = createGuardedFetch({});
    const stranger = await silent();
    for (const privateNetwork of [LOOPBACK_LIST, 'instance'] as const)
      await expect(closed(stranger.origin, { privateNetwork })).rejects.toMatchObject({ failure: 'refused' });
    expect(stranger.requests).toEqual([]);
    await closed.close();
  });
});

describe('a workspace without the entry', () => {
  it('fails at the step, and gets through from the next run on when its admin lists it', async () => {
    const stranger = await mcpServer();
    const connection = await connectStranger({ fixture, workspace, peers, endpoint: `${stranger.origin}/mcp` });
    await approveEverything(fixture, workspace, connection);
    const asked = stranger.requests.length;
    const workflow = await fixture.makeWorkflow(workspace, {
      steps: [{ kind: 'tool', id: 'say', name: 'Say', connection: 'a-stranger', capability: 'echo', input: {}, retries: 0 }],
    });
    const runOnce = async () => fixture.until(await fixture.start(workspace, workflow), ['completed', 'failed']);
    expect(await runOnce()).toMatchObject({ status: 'failed', error: { key: 'peerAddressRefused' } });
    expect(stranger.requests.length).toBe(asked);
    await configure(LOOPBACK_SETTING);
    expect(await runOnce()).toMatchObject({ status: 'completed' });
    await configure('');
    expect(await runOnce()).toMatchObject({ status: 'failed', error: { key: 'peerAddressRefused' } });
  });

  it('reads so when a connection is made, and when one is checked by hand or by the clock', async () => {
    const stranger = await mcpServer();
    const endpoint = `${stranger.origin}/mcp`;
    const connect = async () => {
      const body = new URLSearchParams({ workspace: workspace.id, name: 'Inside', address: endpoint });
      const request = new Request(`${PAGES_ORIGIN}/dashboard/plugins/connect`, { method: 'POST', body });
      return connectAction({ request, context: builderContext(), kind: 'mcp' });
    };
    expect(JSON.stringify(await connect())).toContain('connection.addressRefused');
    expect(stranger.requests).toEqual([]);

    const connection = await connectStranger({ fixture, workspace, peers, endpoint });
    const asked = stranger.requests.length;
    const lastError = async () =>
      (await test.owner.query('select last_error from quorate.connections where id = $1', [connection.id])).rows[0].last_error as Json;
    const { asWorker, app: asApp } = test.database;
    const check = async () => {
      await test.owner.query('update quorate.connections set next_check_at = now() where id = $1', [connection.id]);
      await checkDueConnections({
        asApp,
        asWorker,
        inspectPeer: peers.inspect,
        signIns: noSignIns,
        sealer,
        newId,
        now: () => new Date(),
        log: quietLog,
      });
    };
    await check();
    expect(await lastError()).toMatchObject({ key: 'peerAddressRefused' });
    const context = builderContext();
    const row = { ...connection, kind: 'mcp', endpoint, sealedCredential: null, settings: {} } as const;
    expect(await checkConnection(memberPrincipal(context.get(memberContext)), context.get(servicesContext), row)).toBe('failed');
    expect(stranger.requests.length).toBe(asked);

    await configure('127.0.0.1');
    await check();
    expect(await lastError()).toBeNull();
    await expect(connect()).resolves.toMatchObject({ status: 303 });
  });

  it('sends no webhook inside', async () => {
    const stranger = await startStranger((_request, _body, response) => void response.writeHead(204).end());
    ends.push(() => stranger.stop());
    const { asWorker, app: asApp } = test.database;
    const signer = createLogSigner('a secret of this test alone', 'log.test');
    const mailer = { send: async () => undefined };
    const mail = () => ({ subject: '', text: '' });
    const deps = {
      ...{ asWorker, asApp, mailer, fetch, signer, sealer, log: quietLog, newId, now: () => new Date(), operatorEmail: null },
      ...{ checkpointMail: mail, logAlarmMail: mail, notificationMail: mail, noticeWriter, origin: 'https://quorate.example' },
    };
    const deliver = async () => {
      const id = newId();
      await test.owner.query(
        `insert into quorate.deliveries (id, workspace_id, kind, target, subject, body) values ($1, $2, 'webhook', $3, '', '{}')`,
        [id, workspace.id, stranger.origin],
      );
      await deliverDue(deps);
      return (await test.owner.query('select status, last_error from quorate.deliveries where id = $1', [id])).rows[0];
    };
    expect(await deliver()).toMatchObject({ status: 'pending', last_error: 'outgoing call: refused' });
    expect(stranger.requests).toEqual([]);
    await configure(LOOPBACK_SETTING);
    expect(await deliver()).toMatchObject({ status: 'success' });
    expect(stranger.requests).toHaveLength(1);
  });
});

describe('the list of a workspace', () => {
  it('is kept as one change of the log, which says what was and what is', async () => {
    expect((await configure('127.0.0.0/16\n127.0.0.1, 127.0.0.1')).status).toBe(303);
    expect(await storedNetwork()).toEqual(['127.0.0.0/16', '127.0.0.1']);
    const { rows } = await test.owner.query(
      `select payload from quorate.audit_events where workspace_id = $1 and action = 'workspace.configured'`,
      [workspace.id],
    );
    expect(rows).toEqual([
      {
        payload: expect.objectContaining({
          before: { network: [] },
          after: { network: ['127.0.0.0/16', '127.0.0.1'] },
        }),
      },
    ]);
    expect((await ask(workspace.admin, '/dashboard/admin/tenant')).html).toContain(`This instance allows: 127.0.0.0/8, ::1`);
  });

  it.each([
    ['10.0.0.0/8', 'This instance does not allow “10.0.0.0/8”'],
    ['127.0.0.0/7', 'This instance does not allow “127.0.0.0/7”'],
    ['169.254.169.254', '“169.254.169.254” can never be reached'],
    ['http://127.0.0.1', '“http://127.0.0.1” is neither a host name nor a network'],
  ])('refuses %s, says why and keeps what was typed', async (entry, text) => {
    const { status, html } = await configure(`127.0.0.1\n${entry}`);
    expect(status).toBe(400);
    expect(html).toContain(text);
    expect(html).toContain(`127.0.0.1\n${entry}</textarea>`);
    expect(await storedNetwork()).toEqual([]);
  });

  it('stays all of the instance where it was so before the upgrade, until someone names less', async () => {
    workspace = await fixture.makeWorkspace({ privateNetwork: 'instance' });
    expect((await ask(workspace.admin, '/dashboard/admin/tenant')).html).toContain('127.0.0.0/8\n::1</textarea>');
    await configure('::1\n127.0.0.0/8');
    expect(await storedNetwork()).toBe('instance');
    await configure('::1');
    expect(await storedNetwork()).toEqual(['::1']);
  });

  it('is empty in a workspace that is new', async () => {
    const { rows } = await test.owner.query(
      `select column_default from information_schema.columns where table_name = 'workspaces' and column_name = 'private_network'`,
    );
    expect(rows[0].column_default).toBe(`'[]'::jsonb`);
  });
});
