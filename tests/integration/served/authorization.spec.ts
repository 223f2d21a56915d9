/** Clients that know nothing but OAuth, at the built product: the official one of MCP, and every liberty that a client or a thief may take. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrangeIn } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { openBrowser, type Person, signInAs } from '#tests/survival/support/person.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';
let instance: Instance;
let builder: Person;
let workspaceId: string;
let mcp: string;

beforeAll(async () => {
  instance = await createInstance();
  await instance.start();
  const workspace = await arrangeIn(instance);
  workspaceId = workspace.workspaceId;
  await workspace.addWorkflow([{ id: 'echo', name: 'Echo', kind: 'transform', expression: '{ "said": "hello" }' }]);
  builder = await signInAs(instance.server(), 'builder');
  const [row] = await instance.query<{ slug: string }>('select slug from quorate.workspaces where id = $1', [workspaceId]);
  mcp = `${instance.origin}/mcp/${row?.slug}`;
}, 120_000);
afterAll(() => instance?.remove(), 60_000);

type Form = Record<string, string>;
const post = (path: string, form: Form | object, headers: Record<string, string> = {}) =>
  fetch(`${instance.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': path === '/oauth/reg' ? 'application/json' : 'application/x-www-form-urlencoded', ...headers },
    body: path === '/oauth/reg' ? JSON.stringify(form) : new URLSearchParams(form as Form),
  });
const pathOf = (location: string | null) => (location ?? '').replace(instance.origin, '');

async function register(metadata: object = {}): Promise<string> {
  const answer = await post('/oauth/reg', { client_name: 'Desk assistant', redirect_uris: [CALLBACK], ...metadata });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** One client for whatever needs no two: an address may register some in an hour. */
let known: Promise<string> | undefined;
const aClient = () => {
  known ??= register();
  return known;
};

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const asks = (client: string, more: Form = {}) => {
  const query = {
    client_id: client,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 'of-the-client',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: mcp,
    ...more,
  };
  return `/oauth/auth?${new URLSearchParams(query)}`;
};

/** Follows a request to the page that asks the person; answers its path. */
async function toQuestion(person: Person, path: string): Promise<string> {
  const asked = await person.get(path);
  expect(asked.status).toBe(303);
  return pathOf(asked.headers.get('Location'));
}

/** Answers the page as its form does, and follows it to what the client is sent. */
async function answerTo(person: Person, question: string, form: Form | [string, string][]): Promise<URLSearchParams> {
  const given = await person.post(question, [
    ...Object.entries({ workspace: workspaceId, id: randomUUID() }),
    ...(Array.isArray(form) ? form : Object.entries(form)),
  ]);
  expect(given.status).toBe(200);
  const to = /^0;url=(.*)$/.exec(given.headers.get('Refresh') ?? '')?.[1] ?? null;
  const back = await person.get(pathOf(to));
  expect(back.status).toBe(303);
  const location = new URL(back.headers.get('Location') ?? '');
  expect(`${location.origin}${location.pathname}`).toBe(CALLBACK);
  return location.searchParams;
}

const ALLOW: [string, string][] = [
  ['answer', 'allow'],
  ['scopes', 'runs:read'],
  ['scopes', 'runs:start'],
];
type Tokens = { access_token: string; refresh_token: string; scope: string; error?: string };
const tokensFor = async (client: string, code: string, more: Form = {}) => {
  const answer = await post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    resource: mcp,
    ...more,
  });
  return { status: answer.status, ...((await answer.json()) as Tokens) };
};
const refreshed = async (client: string, token: string) => {
  const answer = await post('/oauth/token', { grant_type: 'refresh_token', client_id: client, refresh_token: token, resource: mcp });
  return { status: answer.status, ...((await answer.json()) as Tokens) };
};
async function letIn(more: Form = {}, form: [string, string][] = ALLOW): Promise<{ client: string; code: string } & Tokens> {
  const client = await aClient();
  const params = await answerTo(builder, await toQuestion(builder, asks(client, more)), form);
  const code = params.get('code') ?? '';
  return { client, code, ...(await tokensFor(client, code)) };
}
const call = (token: string, path = '') =>
  fetch(path === '' ? mcp : `${instance.origin}${path}`, {
    ...(path === '' ? { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) } : {}),
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  });
const revocations = async () =>
  (await instance.query<{ n: number }>("select count(*)::int as n from quorate.audit_events where action = 'apiKey.revoked'"))[0]?.n ?? 0;

test('the official client of MCP, which has no key, is let in by a person and runs a workflow', async () => {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; asked?: URL } = {};
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Official client', redirect_uris: [CALLBACK] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (asked: URL) => void Object.assign(kept, { asked }),
    saveCodeVerifier: (text: string) => void Object.assign(kept, { verifier: text }),
    codeVerifier: () => kept.verifier ?? '',
    state: () => 'of-the-client',
  } as unknown as OAuthClientProvider;
  const open = () => new StreamableHTTPClientTransport(new URL(mcp), { authProvider: provider });
  const first = open();
  await expect(new Client({ name: 'official', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  const question = await toQuestion(builder, pathOf(String(kept.asked)));
  const page = await (await builder.get(question)).text();
  expect(page).toContain('Official client');
  expect(page).toContain('127.0.0.1:9');
  await first.finishAuth(await answerTo(builder, question, ALLOW));
  const client = new Client({ name: 'official', version: '1' });
  await client.connect(open());
  const { tools } = await client.listTools();
  const echo = tools.find(({ name }) => /^survival/i.test(name))?.name ?? tools.map(({ name }) => name).join();
  const { content } = await client.callTool({ name: echo, arguments: {} });
  expect(JSON.stringify(content)).toContain('hello');
  await client.close();
  const listed = await (await builder.get('/dashboard/account/api-keys')).text();
  expect(listed).toContain('Official client');
});

test('who stands at another browser, or comes without a session, answers nothing', async () => {
  const client = await aClient();
  const question = await toQuestion(openBrowser(instance.origin), asks(client));
  expect((await builder.get(question)).status).toBe(404);
  expect((await builder.post(question, { workspace: workspaceId, id: randomUUID(), answer: 'allow', scopes: 'runs:read' })).status).toBe(
    404,
  );
  const nobody = openBrowser(instance.origin);
  expect((await nobody.get(await toQuestion(nobody, asks(client)))).headers.get('Location')).toContain('/auth');
});

test('a person who refuses is obeyed, and a right that is not ticked is not given', async () => {
  const refused = await answerTo(builder, await toQuestion(builder, asks(await aClient())), { answer: 'refuse' });
  expect(Object.fromEntries(refused)).toMatchObject({ error: 'access_denied', state: 'of-the-client' });
  const none = await toQuestion(builder, asks(await aClient()));
  expect((await builder.post(none, { workspace: workspaceId, id: randomUUID(), answer: 'allow' })).status).toBe(400);
  const reader = await letIn({ scope: 'runs:read runs:start' }, [
    ['answer', 'allow'],
    ['scopes', 'runs:read'],
  ]);
  expect(reader.scope).toBe('runs:read');
  const refusedCall = await call(reader.access_token);
  expect(refusedCall.status).toBe(403);
  expect(refusedCall.headers.get('WWW-Authenticate')).toContain('insufficient_scope');
  // A right that the person has not, and one that the client has not asked for.
  for (const scope of ['audit:read', 'workflows:read']) {
    const question = await toQuestion(builder, asks(await aClient(), { scope: 'runs:read audit:read' }));
    const form = { workspace: workspaceId, id: randomUUID(), answer: 'allow', scopes: scope };
    expect((await builder.post(question, form)).status, scope).toBe(400);
  }
});

test('who answers after another in one browser grants what is theirs', async () => {
  const jar = openBrowser(instance.origin);
  const granted: string[] = [];
  for (const role of ['builder', 'approver'] as const) {
    const account = (await instance.server().demoAccounts()).find(({ roles }) => roles.includes(role));
    if (account === undefined) throw new Error(`nobody is ${role}`);
    await (await jar.post('/auth?mode=sign-in', { email: account.email, password: account.password })).body?.cancel();
    const client = await aClient();
    const { access_token: token } = await tokensFor(
      client,
      (await answerTo(jar, await toQuestion(jar, asks(client)), ALLOW)).get('code') ?? '',
    );
    granted.push(token);
    await (await jar.post('/auth/sign-out', {})).body?.cancel();
  }
  const owners = await instance.query<{ email: string }>(
    'select m.email from quorate.api_keys k join quorate.members m on m.user_id = k.user_id order by k.created_at desc limit 2',
  );
  expect(owners.map(({ email }) => email.split('@')[0])).toEqual(['approver', 'builder']);
  for (const token of granted) expect((await call(token)).status).toBe(200);
});

test('a token opens the address that it was made out for, and no other', async () => {
  const { access_token: token } = await letIn();
  expect((await call(token)).status).toBe(200);
  const elsewhere = await call(token, '/api/v1/runs');
  expect(elsewhere.status).toBe(401);
  expect(elsewhere.headers.get('WWW-Authenticate')).toContain('invalid_token');
  const nobody = await fetch(mcp, { method: 'POST' });
  const document = /resource_metadata="([^"]+)"/.exec(nobody.headers.get('WWW-Authenticate') ?? '')?.[1] ?? '';
  expect(await (await fetch(document)).json()).toMatchObject({ resource: mcp, authorization_servers: [`${instance.origin}/oauth`] });
  expect((await fetch(`${instance.origin}/.well-known/oauth-authorization-server/oauth`)).status).toBe(200);
  expect((await call(token, '/dashboard/runs')).status).not.toBe(401);
});

test('a code counts once, for who began with it; used again, what it gave is taken back', async () => {
  const { client, code, access_token: token } = await letIn();
  const before = await revocations();
  expect(await tokensFor(client, code)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect((await call(token)).status).toBe(401);
  expect(await revocations()).toBe(before + 1);
  const begun = await aClient();
  const params = await answerTo(builder, await toQuestion(builder, asks(begun)), ALLOW);
  const other = await register();
  expect(await tokensFor(other, params.get('code') ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' });
  const again = await answerTo(builder, await toQuestion(builder, asks(begun)), ALLOW);
  expect(await tokensFor(begun, again.get('code') ?? '', { code_verifier: randomBytes(32).toString('base64url') })).toMatchObject({
    error: 'invalid_grant',
  });
});

test('a refresh token is used once: of two at once one wins, and an old one ends the family', async () => {
  const { client, refresh_token: first } = await letIn();
  const both = await Promise.all([refreshed(client, first), refreshed(client, first)]);
  const won = both.find(({ status }) => status === 200);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await call(won?.access_token ?? '')).status).toBeOneOf([200, 401]);
  const before = await revocations();
  const { client: owner, refresh_token: old } = await letIn();
  const next = await refreshed(owner, old);
  expect((await call(next.access_token)).status).toBe(200);
  expect(await refreshed(owner, old)).toMatchObject({ error: 'invalid_grant' });
  expect((await call(next.access_token)).status).toBe(401);
  expect(await refreshed(owner, next.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await revocations()).toBeGreaterThan(before);
});

test('a key that a client has is revoked like any other: its next call and its refresh are refused', async () => {
  const { client, access_token: token, refresh_token: refresh } = await letIn();
  const [key] = await instance.query<{ id: string }>(
    'select id from quorate.api_keys where client_id = $1 order by created_at desc limit 1',
    [client],
  );
  expect((await builder.post(`/dashboard/account/api-keys/${key?.id}/revoke`, { workspace: workspaceId })).status).toBe(303);
  expect((await call(token)).status).toBe(401);
  expect(await refreshed(client, refresh)).toMatchObject({ error: 'invalid_grant' });
  const own = await letIn();
  expect((await post('/oauth/token/revocation', { client_id: own.client, token: own.refresh_token })).status).toBe(200);
  expect((await call(own.access_token)).status).toBe(401);
});

test.each([
  ['without a challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['for an address elsewhere', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ['for a page', { resource: 'ORIGIN/dashboard' }, 'invalid_target'],
  ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
])('a request %s is refused at its client', async (_, more, error) => {
  const asked = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, value.replace('ORIGIN', instance.origin)]));
  const answer = await builder.get(asks(await aClient(), asked));
  expect(answer.status).toBe(303);
  const location = new URL(answer.headers.get('Location') ?? '', instance.origin);
  expect(location.href).toContain(CALLBACK);
  expect(location.href).toContain(error);
});

test('a request to go back where its client has not registered goes nowhere, and a client that is none is told to the person', async () => {
  const client = await aClient();
  for (const path of [asks(client, { redirect_uri: 'https://evil.example/callback' }), asks('no-such-client')]) {
    const answer = await builder.get(path);
    expect(pathOf(answer.headers.get('Location'))).toMatch(/^\/dashboard\/account\/authorize\/refused\?error=invalid_\w+$/);
  }
  expect((await post('/oauth/reg', { redirect_uris: ['javascript:alert(1)'] })).status).toBe(400);
});

test('what is kept holds no token and no code', async () => {
  const { access_token: token, refresh_token: refresh, code } = await letIn();
  const [{ text } = { text: '' }] = await instance.query<{ text: string }>(
    "select string_agg(encode(payload, 'escape') || r::text, '') as text from quorate.authorization_records r",
  );
  for (const secret of [token, refresh, code]) {
    expect(secret.length).toBeGreaterThan(30);
    expect(text).not.toContain(secret);
    expect(instance.server().output()).not.toContain(secret);
  }
});

test('an address registers some clients in an hour, and no more', async () => {
  const registrations = Array.from({ length: 21 }, () => post('/oauth/reg', { client_name: 'One of many', redirect_uris: [CALLBACK] }));
  const statuses = (await Promise.all(registrations)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 429]));
});
