/** OAuth to a real MCP server behind a real authorization server: from the form to a finished call of a run, and what attacks come to. */
import type { ServerResponse } from 'node:http';
import { RouterContextProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { SignIns } from '#app/contracts/sign-ins.ts';
import { ourClient, SIGN_IN_RETURN_PATH } from '#app/domain/connections/our-client.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { createPeers, type Peers } from '#app/engine/connections/call-peer.ts';
import { createSignIns } from '#app/engine/connections/sign-ins/create-sign-ins.ts';
import { readAsks } from '#app/engine/runs/read-asks.ts';
import { connectAction } from '#app/features/connections/connect/connect-action.server.ts';
import { disconnectAction } from '#app/features/connections/disconnect-action.server.ts';
import { loadConnection } from '#app/features/connections/load-connection.server.ts';
import { loadSignIn } from '#app/features/connections/sign-in/load-sign-in.server.ts';
import { returnFromSignIn } from '#app/features/connections/sign-in/return-from-sign-in.server.ts';
import { signInAction } from '#app/features/connections/sign-in/sign-in-action.server.ts';
import { loadRun } from '#app/features/runs/load-run.server.ts';
import { createSealer } from '#app/platform/crypto.server.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { newId } from '#app/platform/ids.ts';
import { tryClient } from '#tests/integration/support/conformance.ts';
import { type OauthPeer, type OauthWorld, startOauthPeer, walkConsent } from '#tests/integration/support/oauth-peer.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { approveEverything } from '#tests/support/stranger-connection.ts';
import type { StrangerTool } from '#tests/support/stranger-peers.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let test: TestDatabase;
let fixture: RunFixture;
let peers: Peers;
let signIns: SignIns;
let workspace: Workspace;
let world: OauthWorld;
let peer: OauthPeer;
const ends: (() => Promise<unknown>)[] = [];
const echo: StrangerTool = { name: 'echo', description: 'Says it again', run: () => ({ content: [{ type: 'text', text: 'done' }] }) };
const PAGES_ORIGIN = 'https://quorate.example';
const now = () => new Date();
const sealer = createSealer('of the bench alone');
const fetch = createGuardedFetch({ privateNetwork: LOOPBACK });
/** As another process has them. */
const openSignIns = () =>
  createSignIns({
    asWorker: test.database.asWorker,
    fetch,
    sealer,
    newId,
    now,
    log: quietLog,
    client: ourClient(PAGES_ORIGIN),
  });

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  peers = createPeers({ fetch, builtin: () => ({ origin: 'http://127.0.0.1:1', token: '' }) });
  signIns = openSignIns();
});
afterAll(async () => {
  await peers.close();
  await fetch.close();
  await fixture.close();
  await test.close();
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace();
  world = { tools: [echo] };
  peer = await startOauthPeer(world);
  ends.push(() => peer.stop());
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** As the middleware of the app area puts it: this member, in this workspace. */
function contextOf({ id: userId, sessionId, name, roles }: TestMember & { roles?: readonly Role[] }): RouterContextProvider {
  const context = new RouterContextProvider();
  const { asMember } = test.database;
  const who = { userId, sessionId, workspaceId: workspace.id };
  const member = {
    userId,
    sessionId,
    email: '',
    name,
    roles: roles ?? [],
    workspace: { id: workspace.id, name: '', slug: '', haltedAt: null, isDemo: false },
  };
  context.set(memberContext, {
    member,
    read: (work) => asMember(who, work, { readOnly: true }),
    change: (work) =>
      asMember(who, async (db) => {
        const { result, event } = await work(db);
        await recordEvent(db, { id: newId(), actor: { kind: 'member', id: userId, name }, workspaceId: workspace.id, entry: event });
        return result;
      }),
  });
  const { enqueueRun, admitRun } = fixture;
  const engine = { inspectPeer: peers.inspect, signIns, sealer, enqueueRun, admitRun, localServers: {} };
  const access = { asMember };
  context.set(servicesContext, { engine, access, newId, now, origin: PAGES_ORIGIN, log: quietLog } as never);
  return context;
}
/** The answer of a page, whether it returns or throws it. */
async function answerOf(asked: Promise<unknown>) {
  const answer = await asked.catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  });
  if (!(answer instanceof Response)) return { answer, status: 200, location: '', notice: null, fault: null };
  const notice = /notice=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  return {
    answer,
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    fault: new URL(answer.headers.get('location') ?? '', PAGES_ORIGIN).searchParams.get('fault'),
    notice: notice === undefined ? null : (JSON.parse(decodeURIComponent(notice)) as { key: string }).key,
  };
}
const post = (fields: Record<string, string>) => new Request(PAGES_ORIGIN, { method: 'POST', body: new URLSearchParams(fields) });
const at = (path: string) => new URL(path, PAGES_ORIGIN);

async function add(more: Record<string, string> = {}) {
  const name = `Guarded ${newId().slice(-6)}`;
  const request = post({ name, address: peer.endpoint, token: '', description: '', ...more });
  const answer = await answerOf(connectAction({ request, context: contextOf(builder()), kind: 'mcp' }));
  return { ...answer, id: answer.location.split('/').at(-1) ?? '', name };
}
const press = (member: TestMember, id: string, intent: Record<string, string>) =>
  answerOf(signInAction({ request: post(intent), params: { connection: id }, context: contextOf(member) }));
/** The address to which pressing the button leads. */
async function begin(member: TestMember, id: string) {
  const pressed = await press(member, id, { intent: 'begin' });
  if (!pressed.location.includes('leaving=')) return { ...pressed, address: '' };
  const { leaving } = await loadSignIn({ params: { connection: id }, context: contextOf(member), url: at(pressed.location) });
  return { ...pressed, address: leaving?.address ?? '' };
}
const comeBack = (member: TestMember, url: URL) => answerOf(returnFromSignIn({ url, context: contextOf(member) }));
async function signIn(member: TestMember, id: string) {
  const { address } = await begin(member, id);
  return comeBack(member, await walkConsent(address, SIGN_IN_RETURN_PATH));
}
const builder = () => ({ ...workspace.builder, roles: ['user', 'builder'] satisfies Role[] as Role[] });
async function connected() {
  const { id, name } = await add();
  await signIn(builder(), id);
  await approveEverything(fixture, workspace, { id, name });
  return { id, name };
}
const slugOf = async (id: string) =>
  (await test.owner.query('select slug from quorate.connections where id = $1', [id])).rows[0]?.slug as string;
const grants = async (id: string) => {
  const { rows } = await test.owner.query(
    'select user_id, version, status, scope, sealed from quorate.oauth_grants where connection_id = $1',
    [id],
  );
  return rows as { user_id: string | null; version: number; status: string; scope: string; sealed: Buffer }[];
};
const eventsOf = async (id: string) => {
  const { rows } = await test.owner.query('select action, payload from quorate.audit_events where resource_id = $1 order by at, id', [id]);
  return rows as { action: string; payload: Record<string, unknown> }[];
};
async function callIn(id: string, triggerKind?: string) {
  const workflow = await fixture.makeWorkflow(workspace, {
    steps: [{ kind: 'tool', id: 'say', name: 'Say', connection: await slugOf(id), capability: 'echo', input: {}, retries: 0 }],
  });
  const runId = await fixture.start(workspace, workflow);
  if (triggerKind !== undefined) await test.owner.query('update quorate.runs set trigger_kind = $2 where id = $1', [runId, triggerKind]);
  return runId;
}
const who = (member: TestMember) => ({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id });
const holder = (id: string) => ({ workspaceId: workspace.id, connectionId: id, userId: null });
const about = { privateNetwork: 'instance' as const, host: 'here' };

describe('a server that takes nothing but a sign-in', () => {
  it('is connected from the form, signed in to without a script, and called in a run', async () => {
    await fixture.startWorker(peers.call, { signIns });
    const added = await add();
    expect(added).toMatchObject({ status: 303, notice: 'connectionWaitsForSignIn' });
    const { host } = new URL(peer.issuer);
    const shown = await loadConnection({ params: { connection: added.id }, context: contextOf(builder()), url: at('/'), kind: 'mcp' });
    expect(shown.signIn).toEqual({ host, by: 'workspace', state: 'none', may: true });
    const back = await signIn(builder(), added.id);
    expect(back).toMatchObject({ location: `/dashboard/plugins/${added.id}`, notice: 'connectionSignedIn' });
    await approveEverything(fixture, workspace, added);
    const run = await fixture.until(await callIn(added.id), ['completed', 'failed']);
    expect(run).toMatchObject({ status: 'completed', error: null });
    expect((await eventsOf(added.id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['connection.installed', 'connection.signedIn', 'connection.checked']),
    );
  });
});

describe('the tokens', () => {
  it('are renewed by one of two processes, before their end and when the server refuses one', async () => {
    world.lasts = 30;
    const { id } = await connected();
    const others = openSignIns();
    const before = peer.refreshes.length;
    world.lasts = 3_600;
    // Both read the same set, which is about to end, and the server takes each refresh token once.
    const [one, two] = await Promise.all([signIns.token(holder(id), about), others.token(holder(id), about)]);
    expect(peer.refreshes.length - before).toBe(1);
    expect(one).toEqual(two);
    expect((await grants(id))[0]).toMatchObject({ version: one.version, status: 'active' });
    const long = await signIns.token(holder(id), about);
    expect(long).toEqual(one);
    const [again, beside] = await Promise.all([
      signIns.token(holder(id), { ...about, rejected: long.version }),
      others.token(holder(id), { ...about, rejected: long.version }),
    ]);
    expect(again).toEqual(beside);
    expect(again.version).toBe(long.version + 1);
  });

  it('are renewed in the middle of a run, and nothing of them stands in a row, a log or a frame', async () => {
    await fixture.startWorker(peers.call, { signIns });
    const { id } = await connected();
    peer.valid.clear();
    const runId = await callIn(id);
    expect(await fixture.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
    const [{ version, sealed } = { version: 0, sealed: Buffer.of() }] = await grants(id);
    expect(version).toBe(2);
    const secrets = [...peer.valid.keys()];
    expect(secrets.length).toBeGreaterThan(0);
    const { rows } = await test.owner.query(
      `select coalesce(string_agg(x::text, ' '), '') as text from (select to_jsonb(s) as x from quorate.steps s where run_id = $1
         union all select to_jsonb(e) from quorate.audit_events e where resource_id = $2
         union all select to_jsonb(c) from quorate.connections c where id::text = $2) t`,
      [runId, id],
    );
    for (const secret of secrets) expect(`${rows[0].text} ${sealed.toString('latin1')}`).not.toContain(secret);
  });

  it('are lost once, and said to be, when the issuer takes the consent back', async () => {
    const { id } = await connected();
    await revokeAll();
    await expect(signIns.token(holder(id), { ...about, rejected: 1 })).rejects.toMatchObject({ failure: { key: 'peerSignInNeeded' } });
    await expect(signIns.token(holder(id), about)).rejects.toMatchObject({ failure: { key: 'peerSignInNeeded' } });
    expect(await grants(id)).toMatchObject([{ status: 'lost' }]);
    expect((await eventsOf(id)).filter(({ action }) => action === 'connection.signInLost')).toHaveLength(1);
    expect(await signIn(builder(), id)).toMatchObject({ notice: 'connectionSignedIn' });
    expect(await grants(id)).toMatchObject([{ status: 'active', version: 1 }]);
  });

  it('stay while the issuer is down', async () => {
    const { id } = await connected();
    world.beforeIssuer = (_request, response) => {
      response.writeHead(503).end('{"error":"temporarily_unavailable"}');
      return true;
    };
    await expect(signIns.token(holder(id), { ...about, rejected: 1 })).rejects.toMatchObject({
      failure: { key: 'peerUnreachable', retryable: true },
    });
    expect(await grants(id)).toMatchObject([{ status: 'active', version: 1 }]);
    delete world.beforeIssuer;
    expect(await signIns.token(holder(id), { ...about, rejected: 1 })).toMatchObject({ version: 2 });
  });

  it('are taken back at the issuer and deleted when a person signs out or disconnects', async () => {
    const { id } = await connected();
    expect(await press(builder(), id, { intent: 'end' })).toMatchObject({ notice: 'connectionSignedOut' });
    expect(await grants(id)).toEqual([]);
    expect(peer.asked.filter((line) => line === 'POST /token/revocation').length).toBeGreaterThan(0);
    await signIn(builder(), id);
    const revoked = peer.asked.filter((line) => line === 'POST /token/revocation').length;
    await answerOf(disconnectAction({ params: { connection: id }, context: contextOf(builder()), kind: 'mcp' }));
    expect(await grants(id)).toEqual([]);
    expect(peer.asked.filter((line) => line === 'POST /token/revocation').length).toBeGreaterThan(revoked);
    expect((await eventsOf(id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['connection.signedOut', 'connection.disconnected']),
    );
  });
});

/** As the person does at the issuer's own page of what they have consented to. */
async function revokeAll() {
  for (const token of [...peer.valid.keys()]) {
    const found = await peer.provider.AccessToken.find(token);
    const grant = found?.grantId === undefined ? undefined : await peer.provider.Grant.find(found.grantId);
    await grant?.destroy();
  }
  peer.valid.clear();
}

describe('a run whose call nobody is signed in for', () => {
  const waits = async (runId: string) => {
    const { rows } = await test.owner.query('select user_id, host, scope from quorate.sign_in_waits where run_id = $1', [runId]);
    return rows as { user_id: string | null; host: string; scope: string | null }[];
  };
  const calls = () => peer.resource.requests.filter(({ body, headers }) => body.includes('"tools/call"') && headers.authorization).length;
  const told = async (runId: string) => {
    const { rows } = await test.owner.query(
      `select user_id, read_at, subject -> 'about' ->> 'kind' as about from quorate.notifications where once like 'sign-in:' || $1 || ':%'`,
      [runId],
    );
    return rows as { user_id: string; read_at: Date | null; about: string }[];
  };

  it('waits when the consent was taken back, tells those who can give it, and goes on once it is', async () => {
    await fixture.startWorker(peers.call, { signIns });
    const { id } = await connected();
    await revokeAll();
    const runId = await callIn(id);
    await fixture.until(runId, ['waiting']);
    expect(await waits(runId)).toMatchObject([{ user_id: null }]);
    expect((await told(runId)).map(({ user_id }) => user_id).sort()).toEqual([workspace.builder.id, workspace.admin.id].sort());
    const { host } = new URL(peer.issuer);
    const run = await test.database.asMember(who(builder()), (db) => loadRun(db, runId));
    expect(run.signIns).toEqual([{ connection: id, host, person: null }]);
    const asks = await test.database.asMember(who(builder()), (db) => readAsks(db, [runId]));
    expect(asks).toMatchObject([{ what: 'signIn', id }]);
    const before = calls();
    expect(await signIn(builder(), id)).toMatchObject({ notice: 'connectionSignedIn' });
    expect(await fixture.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
    expect(calls() - before).toBe(1);
    expect(await waits(runId)).toEqual([]);
    expect((await told(runId)).every(({ read_at }) => read_at !== null)).toBe(true);
  });

  it('waits for whoever started it, with their own account, and for nobody else', async () => {
    await fixture.startWorker(peers.call, { signIns });
    const { id } = await connected();
    expect(await press(builder(), id, { intent: 'set', by: 'member', owner: workspace.admin.id })).toMatchObject({ notice: 'signInSet' });
    const runId = await callIn(id);
    await fixture.until(runId, ['waiting']);
    expect(await waits(runId)).toMatchObject([{ user_id: workspace.builder.id }]);
    expect((await told(runId)).map(({ user_id }) => user_id)).toEqual([workspace.builder.id]);
    const other = { ...workspace.approver, roles: ['approver'] } as TestMember;
    expect(await signIn(other, id)).toMatchObject({ notice: 'connectionSignedIn' });
    expect(await waits(runId)).toHaveLength(1);
    expect(await signIn(builder(), id)).toMatchObject({ notice: 'connectionSignedIn' });
    expect(await fixture.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
    expect((await grants(id)).map(({ user_id }) => user_id).sort()).toEqual([null, workspace.builder.id, workspace.approver.id].sort());
    // One that nobody started is called with the owner's account.
    const scheduled = await callIn(id, 'schedule');
    await fixture.until(scheduled, ['waiting']);
    expect(await waits(scheduled)).toMatchObject([{ user_id: workspace.admin.id }]);
  });

  it('waits for a scope that is missing, asks for just that beside what there is, and does not try in circles', async () => {
    await fixture.startWorker(peers.call, { signIns });
    const { id } = await connected();
    world.needs = 'more';
    const runId = await callIn(id);
    await fixture.until(runId, ['waiting']);
    expect(await waits(runId)).toMatchObject([{ scope: 'more' }]);
    expect(calls()).toBe(1);
    const { address } = await begin(builder(), id);
    expect(new URL(address).searchParams.get('scope')?.split(' ').sort()).toEqual(['more', 'offline_access', 'tools']);
    expect(await comeBack(builder(), await walkConsent(address, SIGN_IN_RETURN_PATH))).toMatchObject({ notice: 'connectionSignedIn' });
    expect(await fixture.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  });

  it('fails when it has waited for all its time', async () => {
    await fixture.startWorker(peers.call, { signIns });
    const { id } = await connected();
    await revokeAll();
    const runId = await callIn(id);
    await fixture.until(runId, ['waiting']);
    await test.owner.query(`update quorate.sign_in_waits set due_at = now() where run_id = $1`, [runId]);
    await test.owner.query(`update quorate.steps set next_attempt_at = now() where run_id = $1`, [runId]);
    await test.owner.query(`update quorate.runs set wake = true where id = $1`, [runId]);
    await fixture.asMember(workspace, workspace.builder, async (db) => {
      await fixture.enqueueRun(db, { id: runId, workspaceId: workspace.id });
      return { result: null, event: { action: 'run.cancelRequested', resource: { kind: 'run', id: runId } } };
    });
    expect(await fixture.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'peerSignInNeeded' } });
    expect(await waits(runId)).toEqual([]);
  });
});

describe('what comes back', () => {
  it('is taken once, in its time, by who left and in their session', async () => {
    const { id } = await add();
    const { address } = await begin(builder(), id);
    const back = await walkConsent(address, SIGN_IN_RETURN_PATH);
    const { admin } = workspace;
    const unknown = { notice: 'signInUnknown', location: '/dashboard/plugins' };
    expect(await comeBack({ ...admin, roles: ['admin'] } as never, back)).toMatchObject(unknown);
    const elsewhere = await test.makeSession(workspace.builder.id);
    expect(await comeBack({ ...builder(), sessionId: elsewhere }, back)).toMatchObject(unknown);
    const forged = new URL(back);
    forged.searchParams.set('state', 'another');
    expect(await comeBack(builder(), forged)).toMatchObject(unknown);
    expect(await comeBack(builder(), back)).toMatchObject({ notice: 'connectionSignedIn' });
    expect(await comeBack(builder(), back)).toMatchObject(unknown);
    const late = await walkConsent((await begin(builder(), id)).address, SIGN_IN_RETURN_PATH);
    await test.owner.query(`update quorate.oauth_consents set due_at = now() - interval '1 second'`);
    expect(await comeBack(builder(), late)).toMatchObject({ fault: 'expired' });
  });

  it('is refused where another issuer answers, where its code is not ours, and said plainly where a person declines', async () => {
    const { id } = await add();
    const mixed = await walkConsent((await begin(builder(), id)).address, SIGN_IN_RETURN_PATH);
    mixed.searchParams.set('iss', 'https://evil.example');
    expect(await comeBack(builder(), mixed)).toMatchObject({ fault: 'issuerMismatch' });
    const without = await walkConsent((await begin(builder(), id)).address, SIGN_IN_RETURN_PATH);
    without.searchParams.delete('iss');
    expect(await comeBack(builder(), without)).toMatchObject({ fault: 'issuerMismatch' });
    // The code of another consent: the verifier of this one does not fit it.
    const other = await walkConsent((await begin(builder(), id)).address, SIGN_IN_RETURN_PATH);
    const injected = await walkConsent((await begin(builder(), id)).address, SIGN_IN_RETURN_PATH);
    injected.searchParams.set('code', other.searchParams.get('code') ?? '');
    expect(await comeBack(builder(), injected)).toMatchObject({ fault: 'exchangeRefused' });
    world.denies = true;
    const declined = await walkConsent((await begin(builder(), id)).address, SIGN_IN_RETURN_PATH);
    expect(await comeBack(builder(), declined)).toMatchObject({ fault: 'denied' });
    expect(await grants(id)).toEqual([]);
  });
});

describe('metadata of a hostile server', () => {
  const json = (document: unknown) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) });
  const good = (origin: string) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/auth`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/reg`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
  type Lie = { status: number; headers?: Record<string, string>; body: string | null };
  const LIES: [name: string, about: 'resource' | 'issuer', lie: (origin: string) => Lie, fault: string][] = [
    [
      'names an authorization server inside',
      'resource',
      (origin) => json({ resource: `${origin}/mcp`, authorization_servers: ['https://10.0.0.8'] }),
      'MetadataRefused',
    ],
    [
      'names one that speaks in clear',
      'resource',
      (origin) => json({ resource: `${origin}/mcp`, authorization_servers: ['http://example.com'] }),
      'MetadataRefused',
    ],
    ['redirects', 'resource', () => ({ status: 302, headers: { location: 'https://example.com/' }, body: '' }), 'MetadataRefused'],
    [
      'redirects at the issuer',
      'issuer',
      () => ({ status: 307, headers: { location: 'http://169.254.169.254/' }, body: '' }),
      'MetadataRefused',
    ],
    [
      'sends 10 MB',
      'issuer',
      () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: ' '.repeat(10_000_000) }),
      'MetadataRefused',
    ],
    ['says that another wrote it', 'issuer', (origin) => json({ ...good(origin), issuer: 'https://good.example' }), 'MetadataWrong'],
    [
      'sends people where no https is',
      'issuer',
      (origin) => json({ ...good(origin), authorization_endpoint: 'http://example.com/auth' }),
      'NotSecure',
    ],
    [
      'sends people to a script',
      'issuer',
      (origin) => json({ ...good(origin), authorization_endpoint: 'javascript:alert(1)' }),
      'MetadataWrong',
    ],
    ['has tokens sent in clear', 'issuer', (origin) => json({ ...good(origin), token_endpoint: 'http://example.com/token' }), 'NotSecure'],
    ['is no JSON', 'issuer', () => ({ status: 200, body: '<html>' }), 'MetadataWrong'],
  ];

  it.each(LIES)('that %s is refused and said so', async (_name, about, lie, fault) => {
    const answer = (origin: string, path: string | undefined, response: ServerResponse) => {
      if (path?.startsWith('/.well-known/') !== true) return false;
      const { status, headers = {}, body } = lie(origin);
      response.writeHead(status, headers).end(body);
      return true;
    };
    if (about === 'resource') world.before = (request, _body, response) => answer(new URL(peer.endpoint).origin, request.url, response);
    else world.beforeIssuer = (request, response) => answer(peer.issuer, request.url, response);
    const { answer: page } = await add();
    expect(JSON.stringify(page)).toContain(`connection.signIn${fault}`);
    expect(
      (
        await test.owner.query('select 1 from quorate.connections where workspace_id = $1 and kind = $2 and endpoint = $3', [
          workspace.id,
          'mcp',
          peer.endpoint,
        ])
      ).rows,
    ).toEqual([]);
  });

  it('that never ends is let go of within its time, and one that asks for a PKCE that is none is refused', async () => {
    world.beforeIssuer = (request, response) => {
      if (request.url?.startsWith('/.well-known/') !== true) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('{');
      return true;
    };
    const begun = performance.now();
    expect(JSON.stringify((await add()).answer)).toContain('connection.signInUnreachable');
    expect(performance.now() - begun).toBeLessThan(14_000);
    delete world.beforeIssuer;
    const { id } = await add();
    world.beforeIssuer = (request, response) => {
      if (request.url?.startsWith('/.well-known/') !== true) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...good(peer.issuer), code_challenge_methods_supported: ['plain'] }));
      return true;
    };
    expect(await begin(builder(), id)).toMatchObject({ fault: 'registrationRefused' });
  });
});

/** By what the revisions require of a client; the first of each family in the normal run. */
const SCENARIOS = {
  'metadata-default': true,
  'metadata-var1': false,
  'metadata-var2': false,
  'metadata-var3': false,
  'basic-cimd': true,
  'scope-from-www-authenticate': false,
  'scope-from-scopes-supported': false,
  'scope-omitted-when-undefined': false,
  'scope-step-up': true,
  'scope-retry-limit': false,
  'token-endpoint-auth-basic': false,
  'token-endpoint-auth-post': false,
  'token-endpoint-auth-none': false,
  'pre-registration': false,
};
const OF_2026 = {
  'resource-mismatch': false,
  'offline-access-scope': false,
  'offline-access-not-supported': false,
  'authorization-server-migration': true,
  'iss-supported': false,
  'iss-not-advertised': false,
  'iss-supported-missing': false,
  'iss-wrong-issuer': true,
  'iss-unexpected': false,
  'iss-normalized': false,
  'metadata-issuer-mismatch': false,
};
const FULL = process.env.QUORATE_TEST_FULL !== undefined;
const required = [
  ...Object.entries({ ...SCENARIOS, ...OF_2026 }).map(([name, always]) => ['2026-07-28', name, always] as const),
  ...Object.keys(SCENARIOS).map((name) => ['2025-11-25', name, false] as const),
].filter(([, , always]) => always || FULL);

// Without a check that succeeded a scenario was skipped, which the suite says nothing of.
it.each(required)('our sign-in holds what %s requires in the scenario %s', { timeout: 120_000 }, async (revision, name) => {
  const checks = await tryClient(`auth/${name}`, revision);
  expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
  expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([]);
});
