/**
 * The workspace served to programs by API keys: /api/v1, MCP and A2A. No other workspace is reached, a halt holds, and a key never votes.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client as A2aClient,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { codeSamples } from '#app/features/public/landing/code-sample-texts.ts';
import { expectHeld, HELD, startBearerProxy, tryClient } from '#tests/integration/support/conformance.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { type Stranger, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { hiddenFields, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const ALL = ['runs:read', 'runs:start', 'workflows:read', 'approvals:read', 'audit:read'];

let instance: Instance;
/** Served by the reference server for files, which the instance may start. */
let shared: string;
let workspaceId: string;
let builder: string;
let admin: string;
let key: string;
let doubling: string;
let asking: string;
/** One step asks for a form; another workflow calls one that asks for an approval, which then calls the one with the form. */
let filling: string;
let calling: string;
/** A workflow whose one step calls a tool that never answers, and how many calls of it have arrived. */
let slow: string;
let slowServer: Stranger;
const slowCalls = () => slowServer.requests.filter(({ body }) => body.includes('"tools/call"')).length;

/** One change as the database's owner, with the event that every change needs. */
const arrange = (text: string, values: unknown[], workspace = workspaceId) =>
  instance.query(
    `with change as (${text} returning 1), event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), '${workspace}', 'system', 'test.arranged', 'workspace', '${workspace}') select 1`,
    values,
  );

async function addKey(
  scopes: readonly string[],
  workspace = workspaceId,
  owner = builder,
  networks: readonly string[] = [],
): Promise<string> {
  const secret = `qk_${randomBytes(32).toString('base64url')}`;
  await arrange(
    `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, networks)
       values ($1, $2, $3, 'Program', $4, $5, $6, $7)`,
    [newId(), workspace, owner, secret.slice(0, 9), createHash('sha256').update(secret).digest(), scopes, networks],
    workspace,
  );
  return secret;
}

async function addWorkflow(name: string, document: object): Promise<string> {
  const [artifactId, versionId] = [newId(), newId()];
  await arrange(
    `insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, status) values ($1, $2, 'workflow', $3, 'Served', $4, 'active')`,
    [artifactId, workspaceId, name, builder],
  );
  await arrange(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
       values ($1, $2, $3, 1, $4, 'served', (select user_id from quorate.members where workspace_id = $2 and 'admin' = any (roles)))`,
    [versionId, workspaceId, artifactId, JSON.stringify(workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, ...document }))],
  );
  await arrange('update quorate.artifacts set published_version_id = $2 where id = $1', [artifactId, versionId]);
  return artifactId;
}

async function addSlowWorkflow(endpoint: string): Promise<string> {
  const peers = createPeers({ fetch, builtin: () => ({ origin: '', token: '' }) });
  const [tool] = (await peers.inspect({ kind: 'mcp', endpoint, credential: null })).capabilities;
  await peers.close();
  const [connectionId, slug] = [newId(), 'slow-tools'];
  await arrange('update quorate.workspaces set private_network = $2 where id = $1', [workspaceId, JSON.stringify(LOOPBACK_LIST)]);
  await arrange(
    `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed) values ($1, $2, 'mcp', $3, $3, $4, 'connected', $5, true)`,
    [connectionId, workspaceId, slug, endpoint, builder],
  );
  await arrange(
    `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, description, input_schema, definition, fingerprint, approved_fingerprint)
       values ($1, $2, $3, 'tool', 'hang', 'Never answers', '{"type":"object"}', '{}', $4, $4)`,
    [newId(), workspaceId, connectionId, tool?.fingerprint],
  );
  return addWorkflow('Take long', { steps: [{ id: 'hang', name: 'Hang', kind: 'tool', connection: slug, capability: 'hang', input: {} }] });
}

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'quorate-shared-'));
  await writeFile(join(shared, 'note.txt'), 'From a file of this machine');
  const files = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json');
  const command = [process.execPath, files.replace('package.json', 'dist/index.js'), shared];
  instance = await createInstance({ ALLOW_STDIO: 'on', STDIO_SERVERS: JSON.stringify({ files: command }) });
  await instance.start();
  const [row] = await instance.query<{ workspace: string; builder: string; admin: string }>(
    `select w.id as workspace, m.user_id as builder,
       (select user_id from quorate.members where workspace_id = w.id and 'admin' = any (roles)) as admin from quorate.workspaces w join quorate.members m on m.workspace_id = w.id and 'builder' = any (m.roles)
     where w.is_demo`,
  );
  if (row === undefined) throw new Error('no demo');
  ({ workspace: workspaceId, builder, admin } = row);
  doubling = await addWorkflow('Double a number', {
    input: [{ name: 'n', title: 'Number', type: 'number' }],
    subject: 'Twice {{ input.n }}',
    steps: [{ id: 'double', name: 'Double', kind: 'transform', expression: 'input.n * 2' }],
  });
  const ask = (id: string) => ({ id, name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' });
  asking = await addWorkflow('Ask a person', { steps: [ask('ask')] });
  await addWorkflow('Ask and repeat', {
    input: [{ name: 'n', title: 'Number', type: 'number' }],
    steps: [ask('ask'), { id: 'repeat', name: 'Repeat', kind: 'transform', expression: 'input.n' }],
  });
  await addWorkflow('Ask twice', { steps: [ask('first'), ask('second')] });
  const amount = { name: 'amount', title: 'Amount', type: 'number' };
  const form = { id: 'form', name: 'Amount', kind: 'human_task', question: 'How much?', fields: [amount] };
  filling = await addWorkflow('Fill in a form', { steps: [form], output: '=steps.form.answer.amount' });
  const call = (id: string, workflow: string) => ({ id, name: 'Call', kind: 'sub_workflow', workflow });
  const inner = await addWorkflow('Call one who asks', { steps: [ask('ask'), call('call', filling)], output: '=steps.call' });
  calling = await addWorkflow('Call through', { steps: [call('call', inner)], output: '=steps.call' });
  key = await addKey(ALL);
  slowServer = await startStrangerServer({ tools: [{ name: 'hang', run: () => new Promise<never>(() => undefined) }] });
  slow = await addSlowWorkflow(slowServer.origin);
}, 180_000);
afterAll(async () => {
  await instance?.remove();
  await slowServer?.stop();
  if (shared !== undefined) await rm(shared, { recursive: true, force: true });
});

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
async function call(
  path: string,
  {
    by = key,
    body,
    headers = {},
    method = body === undefined ? 'GET' : 'POST',
  }: { by?: string; body?: unknown; headers?: Record<string, string>; method?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${instance.origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}
const start = (workflowId: string, input: object, more: Parameters<typeof call>[1] = {}) =>
  call('/runs', { body: { workflowId, input }, ...more });
const finished = (id: unknown) =>
  until('the run', async () => {
    const { body } = await call(`/runs/${id}`);
    return ['completed', 'failed', 'cancelled', 'waiting'].includes(String(body.status)) ? body : undefined;
  });

/** A person approves what the run waits for. */
const approve = async (run: unknown) => {
  const found = ((await call('/approvals?status=pending')).body.data as { id: string; runId: string }[]).find((one) => one.runId === run);
  const person = await signInAs(instance.server(), 'approver');
  const page = await (await person.get(`/dashboard/approvals/${found?.id}`)).text();
  const answer = await person.post(`/dashboard/approvals/${found?.id}`, { ...hiddenFields(page), vote: 'approve' });
  await answer.body?.cancel();
  expect(answer.status).toBe(303);
};

/** The person who is asked fills in the form of this page. */
const fillIn = async (page: string, amount: string) => {
  const person = await signInAs(instance.server(), 'builder');
  const { pathname } = new URL(page);
  const form = await (await person.get(pathname)).text();
  const answer = await person.post(pathname, { ...hiddenFields(form), amount });
  await answer.body?.cancel();
  expect(answer.status).toBe(303);
};

describe('/api/v1', () => {
  test('starts a published workflow, and tells how it went, what waits and what was written down', async () => {
    const workflows = (await call('/workflows')).body.data as { id: string; input: unknown }[];
    expect(workflows.find((one) => one.id === doubling)?.input).toMatchObject({ properties: { n: { type: 'number' } }, required: ['n'] });
    expect((await call(`/workflows/${doubling}`)).body).toMatchObject({ name: 'Double a number', version: 1 });
    const started = await start(doubling, { n: 21 });
    expect(started.status).toBe(201);
    expect(started.headers.get('Location')).toBe(started.body.url);
    expect(started.body).toMatchObject({ number: expect.any(Number), subject: 'Twice 21' });
    const { number, subject } = (await call(`/runs/${started.body.id}`)).body;
    expect(started.body).toMatchObject({ number, subject });
    expect(await finished(started.body.id)).toMatchObject({ status: 'completed', output: 42, workflowId: doubling, mode: 'live' });
    const waiting = await finished((await start(asking, {})).body.id);
    const approvals = (await call('/approvals?status=pending')).body.data as { id: string; runId: string; url: string }[];
    const approval = approvals.find((one) => one.runId === waiting.id);
    expect(waiting).toMatchObject({ status: 'waiting', approvalUrl: approval?.url });
    expect((await call(`/approvals/${approval?.id}`)).body).toMatchObject({
      status: 'pending',
      title: expect.any(String),
      runNumber: waiting.number,
      runSubject: null,
    });
    expect(waiting.number).toEqual(expect.any(Number));
    const events = (await call('/audit?limit=100', { by: await addKey(['audit:read'], workspaceId, admin) })).body.data as {
      action: string;
      actor: { kind: string };
      resource: { id: string };
    }[];
    expect(events.find((one) => one.action === 'run.started' && one.resource.id === started.body.id)?.actor.kind).toBe('key');
    // what is older than a week leaves by agreement, and no key agrees
    const old = newId();
    await instance.query(
      `insert into quorate.audit_events (id, workspace_id, at, actor_kind, action, resource_kind, resource_id)
       values ($1::uuid, $2, now() - interval '8 days', 'system', 'run.started', 'run', $1::text)`,
      [old, workspaceId],
    );
    const behind = await call(`/audit?cursor=${old}`, { by: await addKey(['audit:read'], workspaceId, admin) });
    expect([behind.status, behind.body.code]).toEqual([403, 'forbidden']);
  });

  test('pages by cursor without leaving anything out', async () => {
    for (let n = 0; n < 3; n += 1) await start(doubling, { n });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: Answer = await call(`/runs?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...(body.data as { id: string }[]).map((run) => run.id));
      cursor = body.next as string | null;
    } while (cursor !== null);
    const [{ count } = { count: 0 }] = await instance.query<{ count: number }>(
      'select count(*)::int as count from quorate.runs where workspace_id = $1',
      [workspaceId],
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(count);
    expect((await call('/runs?cursor=nonsense')).status).toBe(400);
  });

  test('one Idempotency-Key comes to one run: the same body to the same answer, another to 409', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await start(doubling, { n: 1 }, { headers });
    const [again, other, twice] = await Promise.all([
      start(doubling, { n: 1 }, { headers }),
      start(doubling, { n: 2 }, { headers }),
      Promise.all(
        Array.from({ length: 4 }, () =>
          start(doubling, { n: 5 }, { headers: { 'Idempotency-Key': `at-once-${headers['Idempotency-Key']}` } }),
        ),
      ),
    ]);
    expect(again).toMatchObject({ status: first.status, body: first.body });
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(new Set(twice.map((one) => one.body.id)).size).toBe(1);
  });

  test('refuses as RFC 9457 says it: no key, a cookie, a key in the address, a missing scope, a wrong input', async () => {
    const bare = await fetch(`${instance.origin}/api/v1/runs`, {
      headers: { cookie: (await signInAs(instance.server(), 'builder')).cookie() },
    });
    expect(bare.status).toBe(401);
    expect(bare.headers.get('Content-Type')).toContain('application/problem+json');
    expect(bare.headers.get('WWW-Authenticate')).toContain('Bearer');
    expect((await call(`/runs?api_key=${key}`)).status).toBe(400);
    const reader = await addKey(['runs:read']);
    for (const path of ['/workflows', '/approvals', '/audit']) expect((await call(path, { by: reader })).status).toBe(403);
    expect(await start(doubling, { n: 1 }, { by: reader })).toMatchObject({ status: 403, body: { code: 'forbidden', status: 403 } });
    expect(await start(doubling, { n: 'many' })).toMatchObject({ status: 400, body: { detail: expect.stringContaining('n') } });
    expect((await start(randomUUID(), {})).status).toBe(404);
    expect((await call('/nothing')).status).toBe(404);
  });

  test('a key that may only read runs reads them, and lists no workflows', async () => {
    const reader = await addKey(['runs:read']);
    const run = (await start(doubling, { n: 2 })).body.id;
    await finished(run);
    expect((await call(`/runs/${run}`, { by: reader })).body).toMatchObject({ id: run, status: 'completed', output: 4 });
    const listed = (await call('/runs', { by: reader })).body.data as { id: string; workflow: string }[];
    expect(listed.find(({ id }) => id === run)).toMatchObject({ workflow: 'Double a number' });
    const told = (await start(doubling, { n: 31_337_001 })).body.id as string;
    const holding = async (words: string) =>
      ((await call(`/runs?q=${encodeURIComponent(words)}`, { by: reader })).body.data as { id: string }[]).map(({ id }) => id);
    await until('its result is found', async () => (await holding('62674002')).includes(told));
    expect(await holding('31337001')).toEqual([told]);
    expect(await holding('no such number')).toEqual([]);
    expect((await call('/runs?q=', { by: reader })).status).toBe(400);
    expect((await call('/workflows', { by: reader })).status).toBe(403);
  });

  test('a key sends the event that a run waits for, once, and to no run that it may not see', async () => {
    const steps = [{ id: 'paid', name: 'Paid', kind: 'wait', mode: 'event' }];
    const workflow = await addWorkflow('Wait for a payment', { steps, output: '=steps.paid.body.amount' });
    const run = String((await start(workflow, {})).body.id);
    const send = (step: string, more: { by?: string; body?: object } = {}) =>
      call(`/runs/${run}/events/${step}`, { body: { amount: 5 }, ...more });
    const reader = await addKey(['runs:read']);
    expect(await send('paid', { by: reader })).toMatchObject({ status: 403 });
    expect((await send('other')).status).toBe(404);
    expect((await call(`/runs/${randomUUID()}/events/paid`, { body: {} })).status).toBe(404);
    expect((await call(`/runs/${run}/events/paid`)).status).toBe(405);
    expect(await send('paid')).toMatchObject({ status: 202, body: { state: 'received' } });
    await until('the end', async () => ((await call(`/runs/${run}`)).body.status === 'completed' ? true : undefined));
    expect((await call(`/runs/${run}`)).body).toMatchObject({ status: 'completed', output: 5 });
    expect((await send('paid')).status).toBe(409);
    const sent = await instance.query('select actor_kind, payload from quorate.audit_events where resource_id = $1 and action = $2', [
      run,
      'run.eventReceived',
    ]);
    expect(sent).toEqual([{ actor_kind: 'key', payload: { step: 'paid' } }]);
  });

  test('a file is uploaded by its key alone and named when a run starts, once it is one that runs take', async () => {
    const workflow = await addWorkflow('Read a note', {
      input: [{ name: 'note', title: 'Note', type: 'file', required: true }],
      steps: [{ id: 'read', name: 'Read', kind: 'read_document', file: '=input.note' }],
      output: '=steps.read.text',
    });
    const upload = async (content: string | Uint8Array<ArrayBuffer>, { by = key, name = 'note.txt', part = 'file' } = {}) => {
      const form = new FormData();
      form.set(part, new File([content], name));
      const sent = await fetch(`${instance.origin}/api/v1/files`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${by}` },
      });
      return { status: sent.status, body: (await sent.json()) as Record<string, unknown> };
    };
    const kept = await upload('Dear all');
    expect(kept).toMatchObject({
      status: 201,
      body: { name: 'note.txt', size: 8, sha256: createHash('sha256').update('Dear all').digest('hex'), file: expect.any(String) },
    });
    const { body } = await start(workflow, { note: { file: kept.body.file } });
    await finished(body.id);
    expect((await call(`/runs/${body.id}`)).body).toMatchObject({ status: 'completed', output: 'Dear all', input: { note: kept.body } });

    // Some of a list, in its order: one that was uploaded twice over, and one that comes with the call.
    const several = await addWorkflow('Read notes', {
      input: [{ name: 'notes', title: 'Notes', type: 'list', of: 'file', required: true }],
      steps: [
        {
          ...{ id: 'each', name: 'Each', kind: 'for_each', items: '=input.notes', collect: '=item.name & ": " & steps.read.text' },
          branches: [{ label: 'each', steps: [{ id: 'read', name: 'Read', kind: 'read_document', file: '=item' }] }],
        },
      ],
      output: '=steps.each.results',
    });
    const second = await upload('Dear none', { name: 'second.txt' });
    const named = { file: second.body.file };
    const sent = { name: 'third.txt', base64: Buffer.from('Dear you').toString('base64') };
    const listed = await start(several, { notes: [named, sent, named] });
    await finished(listed.body.id);
    expect((await call(`/runs/${listed.body.id}`)).body).toMatchObject({
      output: ['second.txt: Dear none', 'third.txt: Dear you', 'second.txt: Dear none'],
      input: { notes: [second.body, { name: 'third.txt', size: 8 }, second.body] },
    });
    expect((await start(several, { notes: [named, { file: randomUUID() }] })).status).toBe(400);
    expect((await start(several, { notes: named })).status).toBe(400);
    expect((await start(several, { notes: [] })).status).toBe(400);

    // Larger than any other body of a program may be.
    expect(await upload(new Uint8Array(3_000_000).fill(97))).toMatchObject({ status: 201, body: { size: 3_000_000 } });
    expect((await upload(new Uint8Array(12_000_000).fill(97))).status).toBe(413);
    expect(await upload('x', { name: 'x.pdf' })).toMatchObject({ status: 400, body: { detail: expect.stringContaining('content') } });
    expect((await upload('')).status).toBe(400);
    expect((await upload('x', { part: 'other' })).status).toBe(400);
    expect((await call('/files', { body: { file: 'x' } })).status).toBe(400);
    expect((await call('/files')).status).toBe(405);
    expect((await upload('x', { by: await addKey(['runs:read']) })).status).toBe(403);
    expect((await upload('x', { by: `qk_${'a'.repeat(43)}` })).status).toBe(401);
    // Of another person it is not there.
    const others = await addKey(ALL, workspaceId, admin);
    const theirs = await upload('mine', { by: others });
    expect((await start(workflow, { note: { file: theirs.body.file } })).status).toBe(400);
  });

  test('a form, and what a called run waits for, is told of the caller with the page of it, through the chain', async () => {
    const run = String((await start(calling, {})).body.id);
    const asks = (kind: string, page: string) =>
      until(`the ${kind}`, async () => {
        const { body } = await call(`/runs/${run}`);
        return body.waitsFor === kind && String(body.approvalUrl).includes(page) ? String(body.approvalUrl) : undefined;
      });
    const approval = await asks('approval', '/dashboard/approvals/');
    const list = (await call('/runs?status=waiting')).body.data as { id: string; waitsFor: string | null }[];
    expect(list.find(({ id }) => id === run)).toMatchObject({ waitsFor: 'approval' });
    // Whoever may not see approvals learns that one is asked for, and is led to the run.
    const narrow = await call(`/runs/${run}`, { by: await addKey(['runs:read']) });
    expect(narrow.body).toMatchObject({ waitsFor: 'approval', approvalUrl: `${instance.origin}/dashboard/runs/${run}` });
    const reader = await signInAs(instance.server(), 'builder');
    const page = await (await reader.get(`/dashboard/runs/${run}`)).text();
    expect(page).toContain('A sub-workflow is waiting for a decision');
    expect(page).toContain(new URL(approval).pathname);
    const rows = await (await reader.get('/dashboard/runs')).text();
    expect(rows).toContain(`href="${new URL(approval).pathname}"`);
    const asked = (await call(`/approvals/${approval.split('/').at(-1)}`)).body;
    const pageOf = async (path: string) => (await (await reader.get(path)).text()).replaceAll('<!-- -->', '');
    const nameOf = (workflow: unknown, number: unknown) => `${workflow} · #${number}<`;
    const called = (await call(`/runs/${asked.runId}`)).body;
    expect(await pageOf(`${new URL(approval).pathname}/withdraw`)).toContain(nameOf(called.workflow, asked.runNumber));
    expect(await pageOf(`/dashboard/audit/runs/${asked.runId}`)).toContain(nameOf(called.workflow, asked.runNumber));
    await approve(asked.runId);
    const form = await asks('form', '/dashboard/tasks/');
    const [task] = await instance.query<{ number: number; workflow: string }>(
      'select r.number, t.workflow from quorate.human_tasks t join quorate.runs r on r.id = t.run_id where t.id::text = $1',
      [form.split('/').at(-1)],
    );
    for (const path of ['', '/pass'])
      expect(await pageOf(`${new URL(form).pathname}${path}`)).toContain(nameOf(task?.workflow, task?.number));
    expect(await pageOf('/dashboard/approvals')).toContain(nameOf(task?.workflow, task?.number));
    await fillIn(form, '7');
    await until('the end', async () => ((await call(`/runs/${run}`)).body.status === 'completed' ? true : undefined));
    expect((await call(`/runs/${run}`)).body).toMatchObject({ output: 7, waitsFor: null, approvalUrl: null });
  });

  test('an address that only reads answers a POST with what it allows, and an unknown one that it is not there', async () => {
    for (const path of ['/key', '/approvals', '/audit', `/workflows/${doubling}`])
      expect(await call(path, { body: {} })).toMatchObject({ status: 405, body: { status: 405, title: 'Method not allowed' } });
    const refused = await call('/approvals', { body: {} });
    expect(refused.headers.get('Allow')).toBe('GET, HEAD');
    expect(refused.headers.get('Content-Type')).toBe('application/problem+json');
    expect((await call('/nothing', { body: {} })).status).toBe(404);
    const hook = await fetch(`${instance.origin}/hooks/${randomUUID()}`);
    expect([hook.status, hook.headers.get('Allow'), hook.headers.get('Content-Type')]).toEqual([405, 'POST', 'application/problem+json']);
    await hook.body?.cancel();
    // An address that was not given out is not there, whoever asks from wherever.
    const callback = `${instance.origin}/callbacks/${randomUUID()}/paid/${'A'.repeat(32)}`;
    const read = await fetch(callback);
    expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST']);
    await read.body?.cancel();
    const forged = await fetch(callback, { method: 'POST', body: '{}', headers: { Origin: 'https://elsewhere.example' } });
    expect([forged.status, forged.headers.get('Content-Type')]).toEqual([404, 'application/problem+json']);
    await forged.body?.cancel();
  });

  test('is described by OpenAPI 3.1, every answer of it by the schema that it is made with', async () => {
    const document = (await (await fetch(`${instance.origin}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, object>;
      components: { schemas: Record<string, object> };
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths)).toEqual([
      '/workflows',
      '/workflows/{workflow}',
      '/workflows/{workflow}/draft',
      '/runs',
      '/runs/{run}',
      '/runs/{run}/events/{step}',
      '/files',
      '/approvals',
      '/approvals/{approval}',
      '/audit',
    ]);
    expect(JSON.stringify(document)).toContain('Idempotency-Key');
    const named = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(JSON.stringify(document)).not.toMatch(/"\$(?:defs|id)"|#\/\$defs/);
  });

  test('a program makes a workflow and edits its draft over what it has read; a person publishes it', async () => {
    const writer = await addKey(['workflows:write']);
    const steps = [{ id: 'sum', name: 'Sum', kind: 'transform', expression: 'input.n +' }];
    const document = { format: 'quorate.workflow/1', input: [{ name: 'n', title: 'Number', type: 'number' }], steps };
    const made = await call('/workflows', { by: writer, body: { name: 'From a repository', document } });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'From a repository', published: false, revision: 1, issues: [{ path: 'sum', key: 'badExpression' }] },
    });
    const address = `/workflows/${made.body.id}/draft`;
    expect(made.headers.get('Location')).toContain(address);
    const put = (body: unknown, by = writer) => call(address, { by, method: 'PUT', body });
    const right = { ...document, steps: [{ ...steps[0], expression: 'input.n + 1' }] };
    expect(await put({ revision: 1, document: right })).toMatchObject({ status: 200, body: { revision: 2, issues: [] } });
    expect(await put({ revision: 1, document })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    // A reader reads and writes nothing; what has no place, no size or no shape is refused, and changes nothing.
    const reader = await addKey(['workflows:read']);
    expect(await put({ revision: 2, document }, reader)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('write') } });
    expect((await call('/workflows', { by: reader, body: { name: 'No' } })).status).toBe(403);
    const [auditor] = await instance.query<{ user_id: string }>(
      `select user_id from quorate.members where workspace_id = $1 and 'auditor' = any (roles) and not 'builder' = any (roles) limit 1`,
      [workspaceId],
    );
    const withoutRole = await addKey(['workflows:write'], workspaceId, auditor?.user_id);
    expect((await call('/workflows', { by: withoutRole, body: { name: 'No' } })).status).toBe(403);
    for (const wrong of [
      { ...right, steps: [...right.steps, ...right.steps] },
      { ...right, output: 'x'.repeat(300_000) },
      { ...right, steps: [{ kind: 'magic' }] },
      'nothing',
    ])
      expect(await put({ revision: 2, document: wrong })).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    const [opening, closing] = ['[{"id":"b","name":"B","kind":"branch","branches":[{"label":"x","steps":', '}]}]'].map((text) =>
      text.repeat(3_000),
    );
    const deep = await fetch(`${instance.origin}/api/v1${address}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
      body: `{"revision":2,"document":{"format":"quorate.workflow/1","steps":${opening}[]${closing}}}`,
    });
    expect([deep.status, await deep.json()]).toMatchObject([400, { code: 'invalid_input' }]);
    expect((await call(address, { by: writer, method: 'PATCH', body: {} })).headers.get('Allow')).toContain('PUT');
    expect((await call(address, { by: reader })).body).toMatchObject({ revision: 2, document: right });
    // No key has put it in force.
    expect((await call(`/workflows/${made.body.id}`)).status).toBe(404);
    expect((await start(String(made.body.id), { n: 1 })).status).toBe(404);
    const [event] = await instance.query<{ actor_kind: string }>(
      `select actor_kind from quorate.audit_events where resource_id = $1 and action = 'workflow.edited'`,
      [made.body.id],
    );
    expect(event?.actor_kind).toBe('key');
  });

  test('what is nested thousands deep is refused on every way in, and nothing falls over', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const bodies = {
      '/api/v1/runs': `{"workflowId":"${doubling}","input":{"n":${deep}}}`,
      [`/mcp/${workspaceId}`]: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"double_a_number","arguments":{"n":${deep}}}}`,
      [`/a2a/${workspaceId}/${doubling}`]: `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"n":${deep}}}]}}}`,
    };
    for (const [path, body] of Object.entries(bodies)) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const answer = await fetch(`${instance.origin}${path}`, { method: 'POST', headers, body });
      const text = await answer.text();
      expect([path, answer.status < 500, text.includes('"completed"')]).toEqual([path, true, false]);
    }
  });

  test('reaches no other workspace, whatever is named', async () => {
    const [other, stranger] = [newId(), builder];
    await arrange(
      `insert into quorate.workspaces (id, name, slug) values ($1, 'Elsewhere', $2)`,
      [other, `elsewhere-${other.slice(-6)}`],
      other,
    );
    await arrange(
      `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user,builder,admin}', 'Elsewhere', 'e@example.com')`,
      [other, stranger],
      other,
    );
    const outside = await addKey(ALL, other, stranger);
    const run = (await start(doubling, { n: 3 })).body.id;
    expect((await call('/runs', { by: outside })).body.data).toEqual([]);
    expect((await call('/approvals', { by: outside })).body.data).toEqual([]);
    for (const path of [`/runs/${run}`, `/workflows/${doubling}`, `/workflows/${doubling}/draft`])
      expect((await call(path, { by: outside })).status).toBe(404);
    expect((await start(doubling, { n: 1 }, { by: outside })).status).toBe(404);
    expect(JSON.stringify((await call('/audit', { by: outside })).body)).not.toContain(workspaceId);
    // Not even a file that the same person sent to the other one.
    const form = new FormData();
    form.set('file', new File(['Dear all'], 'note.txt'));
    const kept = await fetch(`${instance.origin}/api/v1/files`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${outside}` },
    });
    expect(kept.status).toBe(201);
    const takes = await addWorkflow('Take a note', { input: [{ name: 'note', title: 'Note', type: 'file', required: true }] });
    expect((await start(takes, { note: { file: ((await kept.json()) as { file: string }).file } })).status).toBe(400);
  });

  test('a key never votes, and nothing starts in a halted workspace', async () => {
    const waiting = await finished((await start(asking, {})).body.id);
    const [approval] = ((await call('/approvals?status=pending')).body.data as { id: string; runId: string }[]).filter(
      (one) => one.runId === waiting.id,
    );
    const vote = await fetch(`${instance.origin}/dashboard/approvals/${approval?.id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'vote=approve',
    });
    expect([302, 401]).toContain(vote.status);
    expect((await call(`/approvals/${approval?.id}`)).body.status).toBe('pending');
    await arrange(`update quorate.workspaces set halted_at = now(), halt_reason = 'test' where id = $1`, [workspaceId]);
    expect(await start(doubling, { n: 1 })).toMatchObject({ status: 423, body: { code: 'halted' } });
    await arrange('update quorate.workspaces set halted_at = null, halt_reason = null where id = $1', [workspaceId]);
    expect((await start(doubling, { n: 1 })).status).toBe(201);
  });
});

describe('MCP', () => {
  /** A client of our own workspace's server; `auto` speaks 2026-07-28, without it the older revision. */
  async function connect(options: ConstructorParameters<typeof Client>[1] = {}, by = key, workspace = workspaceId): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp/${workspace}`), { authProvider: { token: async () => by } }),
    );
    return client;
  }
  const modern = { versionNegotiation: { mode: 'auto' as const } };
  test.each([
    ['2026-07-28', modern],
    ['the older revision', {}],
  ])('published workflows are tools of %s', async (_, options) => {
    const client = await connect(options);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['double_a_number', 'ask_a_person', 'get_run']));
    expect(tools.find((tool) => tool.name === 'double_a_number')?.inputSchema).toMatchObject({ required: ['n'] });
    const result = await client.callTool({ name: 'double_a_number', arguments: { n: 4 } });
    expect(result.structuredContent).toMatchObject({ status: 'completed', output: 8 });
    expect((await client.callTool({ name: 'double_a_number', arguments: { n: 'four' } })).isError).toBe(true);
    await client.close();
  });

  test.each([
    ['2026-07-28 without a browser', modern],
    ['the older revision', {}],
  ])('a client of %s gets a handle for a run that waits, and asks with get_run', async (_, options) => {
    const client = await connect(options);
    const waiting = (await client.callTool({ name: 'ask_a_person', arguments: {} })).structuredContent as Record<string, unknown>;
    expect(waiting).toMatchObject({ status: 'waiting', approvalUrl: expect.stringContaining('/dashboard/approvals/') });
    await approve(waiting.runId);
    const run = await until('the end', async () => {
      const { structuredContent } = await client.callTool({ name: 'get_run', arguments: { runId: waiting.runId } });
      return (structuredContent as { status: string }).status === 'completed' ? structuredContent : undefined;
    });
    expect(run).toMatchObject({ runId: waiting.runId });
    await client.close();
  });

  /** A client that shows pages to its person; `opened` is called with each page, and says how the client answers. */
  async function connectWithPages(opened: (url: string) => Promise<'accept' | 'decline'>): Promise<Client> {
    const client = await connect({ ...modern, capabilities: { elicitation: { url: {} } } });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (!('url' in params)) throw new Error('no page');
      return { action: await opened(params.url) };
    });
    return client;
  }
  const runOf = async (page: string) => (await call(`/approvals/${page.split('/').at(-1)}`)).body.runId;

  test('a client that opens pages is sent to the approval once, and has the answer when a person has decided', async () => {
    const asked: string[] = [];
    const decided: Promise<void>[] = [];
    const client = await connectWithPages(async (url) => {
      asked.push(url);
      // The person decides while the client, which has opened the page, has asked again already.
      decided.push(runOf(url).then(approve));
      return 'accept';
    });
    const result = await client.callTool({ name: 'ask_a_person', arguments: {} });
    await Promise.all(decided);
    expect(asked).toHaveLength(1);
    expect(result.structuredContent).toMatchObject({ status: 'completed' });
    await client.close();
  });

  test('a person who takes their time is asked once, and the client ends with the handle', async () => {
    const asked: string[] = [];
    const client = await connectWithPages(async (url) => {
      asked.push(url);
      return 'accept';
    });
    const waiting = (await client.callTool({ name: 'ask_a_person', arguments: {} })).structuredContent as Record<string, unknown>;
    expect(waiting).toMatchObject({ status: 'waiting', runId: expect.any(String), approvalUrl: asked[0] });
    expect(asked).toHaveLength(1);
    await approve(waiting.runId);
    await until('the end', async () => {
      const { structuredContent } = await client.callTool({ name: 'get_run', arguments: { runId: waiting.runId } });
      return (structuredContent as { status: string }).status === 'completed' ? structuredContent : undefined;
    });
    await client.close();
  });

  test('each approval of a run is asked for on its own, and whoever declines has the handle at once', async () => {
    const asked: string[] = [];
    const decided: Promise<void>[] = [];
    const client = await connectWithPages(async (url) => {
      asked.push(url);
      if (asked.length === 2) return 'decline';
      decided.push(runOf(url).then(approve));
      return 'accept';
    });
    const result = await client.callTool({ name: 'ask_twice', arguments: {} });
    await Promise.all(decided);
    expect(new Set(asked).size).toBe(2);
    expect(result.structuredContent).toMatchObject({ status: 'waiting', approvalUrl: asked[1] });
    await client.close();
  });

  test('a form is asked for as an approval is: one page, and the answer when a person has filled it in', async () => {
    const filled: Promise<void>[] = [];
    const client = await connectWithPages(async (url) => {
      filled.push(fillIn(url, '12'));
      return 'accept';
    });
    const result = await client.callTool({ name: 'fill_in_a_form', arguments: {} });
    await Promise.all(filled);
    expect(filled).toHaveLength(1);
    expect(result.structuredContent).toMatchObject({ status: 'completed', output: 12 });
    await client.close();
    const older = await connect();
    const waiting = (await older.callTool({ name: 'fill_in_a_form', arguments: {} })).structuredContent;
    expect(waiting).toMatchObject({ status: 'waiting', waitsFor: 'form', approvalUrl: expect.stringContaining('/dashboard/tasks/') });
    await older.close();
  });

  describe('fifty calls at once', () => {
    const numbers = Array.from({ length: 50 }, (_, n) => n);

    test.each([
      ['2026-07-28', modern],
      ['the older revision', {}],
    ])('of %s: each has its own answer', async (_, options) => {
      const clients = await Promise.all(Array.from({ length: 5 }, () => connect(options)));
      const answers = await Promise.all(
        numbers.map((n) => clients[n % clients.length]?.callTool({ name: 'double_a_number', arguments: { n } })),
      );
      const told = answers.map((answer) => answer?.structuredContent as { output: number; runId: string });
      expect(told.map(({ output }) => output)).toEqual(numbers.map((n) => 2 * n));
      expect(new Set(told.map(({ runId }) => runId)).size).toBe(numbers.length);
      await Promise.all(clients.map((client) => client.close()));
    });

    test('of clients that show no pages: each has its own handle, and a decision is about one of them', async () => {
      const client = await connect();
      const handles = await Promise.all(numbers.map((n) => client.callTool({ name: 'ask_and_repeat', arguments: { n } })));
      const runs = handles.map(({ structuredContent }) => structuredContent as { runId: string; status: string });
      expect(new Set(runs.map(({ runId }) => runId)).size).toBe(numbers.length);
      expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['waiting']));
      await approve(runs[7]?.runId);
      const stand = await Promise.all(
        [7, 8].map(async (n) => {
          const settled = async () => {
            const { structuredContent } = await client.callTool({ name: 'get_run', arguments: { runId: runs[n]?.runId } });
            const run = structuredContent as { runId: string; status: string; output: unknown };
            return n === 8 || run.status === 'completed' ? run : undefined;
          };
          return until('its state', settled);
        }),
      );
      expect(stand).toMatchObject([
        { runId: runs[7]?.runId, status: 'completed', output: 7 },
        { runId: runs[8]?.runId, status: 'waiting' },
      ]);
      await client.close();
    });

    test('of clients that open pages: each is asked once, for its own approval', async () => {
      const clients = await Promise.all(
        numbers.map(async () => {
          const asked: string[] = [];
          const client = await connectWithPages(async (url) => {
            asked.push(url);
            return 'decline';
          });
          return { asked, client };
        }),
      );
      const answers = await Promise.all(
        clients.map(async ({ asked, client }, n) => {
          const { structuredContent } = await client.callTool({ name: 'ask_and_repeat', arguments: { n } });
          return { asked, ...(structuredContent as { runId: string; status: string; approvalUrl: string }) };
        }),
      );
      expect(new Set(answers.map(({ runId }) => runId)).size).toBe(numbers.length);
      for (const { asked, status, approvalUrl } of answers) expect([status, asked]).toEqual(['waiting', [approvalUrl]]);
      const rows = await instance.query<{ id: string; run_id: string; n: number }>(
        `select p.id, p.run_id, (r.input ->> 'n')::int as n from quorate.approvals p join quorate.runs r on r.id = p.run_id where p.run_id = any ($1)`,
        [answers.map(({ runId }) => runId)],
      );
      for (const [n, { runId, approvalUrl }] of answers.entries())
        expect(rows.find((row) => row.run_id === runId)).toMatchObject({ id: approvalUrl.split('/').at(-1), n });
      await Promise.all(clients.map(({ client }) => client.close()));
    });
  });

  test.each([
    ['2026-07-28', modern],
    ['the older revision', {}],
  ])('a client of %s that asks for it is told how far its run is', async (_, options) => {
    const client = await connect(options);
    const told: number[] = [];
    const params = { name: 'double_a_number', arguments: { n: 4 } };
    await client.callTool(params, { onprogress: ({ progress }) => told.push(progress) });
    expect(told[0]).toBe(0);
    expect(told.at(-1)).toBe(1);
    expect(told).toEqual([...new Set(told)].sort((one, other) => one - other));
    await client.close();
  });

  /** The run that the next call of the slow tool comes from. */
  const runUnderWay = () =>
    until('the run under way', async () => {
      const [row] = await instance.query<{ id: string }>(
        `select id from quorate.runs where artifact_id = $1 and status = 'processing' order by created_at desc limit 1`,
        [slow],
      );
      return slowCalls() > 0 ? row?.id : undefined;
    });
  const endOf = (run: string) =>
    until('the end of the run', async () => {
      const [row] = await instance.query<{ status: string }>('select status from quorate.runs where id = $1', [run]);
      return row !== undefined && ['completed', 'failed', 'cancelled'].includes(row.status) ? row.status : undefined;
    });

  test.each([
    ['2026-07-28, which closes the connection', modern],
    ['the older revision, which says so', {}],
  ])('a client of %s ends its run by cancelling its call', async (_, options) => {
    const client = await connect(options);
    const leave = new AbortController();
    const called = client.callTool({ name: 'take_long', arguments: {} }, { signal: leave.signal }).catch((error: unknown) => error);
    const run = await runUnderWay();
    leave.abort();
    await called;
    expect(await endOf(run)).toBe('cancelled');
    await client.close();
  });

  test('a client of the older SDK is served alike: tools, calls, handles, progress, cancelling', async () => {
    const client = new OlderClient({ name: 'older', version: '1.0.0' });
    const transport = new OlderTransport(new URL(`${instance.origin}/mcp/${workspaceId}`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    // Its type of a transport lets `undefined` stand where ours, exact, does not.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('double_a_number');
    const told: number[] = [];
    const doubled = await client.callTool({ name: 'double_a_number', arguments: { n: 4 } }, undefined, {
      onprogress: ({ progress }) => told.push(progress),
    });
    expect(doubled.structuredContent).toMatchObject({ status: 'completed', output: 8 });
    expect(told.at(-1)).toBe(1);
    const { structuredContent } = await client.callTool({ name: 'ask_a_person', arguments: {} });
    expect(structuredContent).toMatchObject({ status: 'waiting', runId: expect.any(String) });
    const leave = new AbortController();
    const called = client
      .callTool({ name: 'take_long', arguments: {} }, undefined, { signal: leave.signal })
      .catch((error: unknown) => error);
    const run = await runUnderWay();
    leave.abort();
    await called;
    expect(await endOf(run)).toBe('cancelled');
    await client.close();
  });

  test('one client cannot cancel the call of another that has the same key and the same request id', async () => {
    const [one, other] = [await connect(), await connect()];
    const leave = new AbortController();
    const called = one.callTool({ name: 'take_long', arguments: {} }, { signal: leave.signal }).catch((error: unknown) => error);
    const run = await runUnderWay();
    for (let requestId = 0; requestId < 10; requestId += 1)
      await other.notification({ method: 'notifications/cancelled', params: { requestId } });
    const [row] = await instance.query<{ cancel_requested_at: Date | null }>('select cancel_requested_at from quorate.runs where id = $1', [
      run,
    ]);
    expect(row?.cancel_requested_at).toBeNull();
    leave.abort();
    await called;
    expect(await endOf(run)).toBe('cancelled');
    await Promise.all([one.close(), other.close()]);
  });

  test('twenty clients at once, slow ones among them, have each their own answer', async () => {
    // The key of this file has its own pace, which the tests before may have used up.
    const own = await addKey(ALL);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const client = await connect(n % 2 === 0 ? modern : {}, own);
        const waits = n % 5 === 0 ? await client.callTool({ name: 'ask_a_person', arguments: {} }) : null;
        const { structuredContent } = await client.callTool({ name: 'double_a_number', arguments: { n } });
        await client.close();
        return [(structuredContent as { output: number }).output, (waits?.structuredContent as { status: string } | undefined)?.status];
      }),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => [n * 2, n % 5 === 0 ? 'waiting' : undefined]));
  });

  test('what is kept of workflows is never old: each change counts from the next call on, and a revoked key from the next statement', async () => {
    const of = (factor: number) => ({
      input: [{ name: 'n', title: 'Number', type: 'number' }],
      steps: [{ id: 'times', name: 'Times', kind: 'transform', expression: `input.n * ${factor}` }],
    });
    const workflow = await addWorkflow('Times', of(3));
    const own = await addKey(ALL);
    const client = await connect(modern, own);
    const times = async (name: string) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: { n: 2 } });
      return isError ? 'refused' : (structuredContent as { output: unknown }).output;
    };
    const byA2a = async () => {
      const card = `${instance.origin}/a2a/${workspaceId}/${workflow}/.well-known/agent-card.json`;
      const { status } = await fetch(card, { headers: { authorization: `Bearer ${own}` } });
      return status;
    };
    expect([await times('times'), await byA2a()]).toEqual([6, 200]);

    const next = newId();
    await arrange(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 2, $4, 'served', $5)`,
      [next, workspaceId, workflow, JSON.stringify(workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, ...of(5) })), admin],
    );
    await arrange('update quorate.artifacts set published_version_id = $2 where id = $1', [workflow, next]);
    expect(await times('times')).toBe(10);

    await arrange(`update quorate.artifacts set name = 'Five times' where id = $1`, [workflow]);
    await expect(times('times')).rejects.toThrow();
    expect(await times('five_times')).toBe(10);

    await arrange(`update quorate.artifacts set status = 'inactive' where id = $1`, [workflow]);
    await expect(times('five_times')).rejects.toThrow();
    expect(await byA2a()).toBe(404);
    await arrange(`update quorate.artifacts set status = 'active' where id = $1`, [workflow]);
    expect([await times('five_times'), await byA2a()]).toEqual([10, 200]);

    await arrange('update quorate.api_keys set revoked_at = now() where key_hash = $1', [createHash('sha256').update(own).digest()]);
    await expect(times('five_times')).rejects.toThrow();
    expect(await byA2a()).toBe(401);
    await client.close();
  });

  test('no other workspace, no foreign page, no key without the scope, no start in a halt', async () => {
    const ask = (headers: Record<string, string>, workspace = workspaceId) =>
      fetch(`${instance.origin}/mcp/${workspace}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
    const own = await addKey(ALL);
    const authorization = `Bearer ${own}`;
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization }, randomUUID())).status).toBe(404);
    expect((await ask({ authorization, origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask({ authorization: `Bearer ${await addKey(['runs:read'])}` })).status).toBe(403);
    const client = await connect(modern, own);
    await arrange(`update quorate.workspaces set halted_at = now(), halt_reason = 'test' where id = $1`, [workspaceId]);
    const halted = await client.callTool({ name: 'double_a_number', arguments: { n: 4 } });
    await arrange('update quorate.workspaces set halted_at = null, halt_reason = null where id = $1', [workspaceId]);
    expect(halted).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('halted') }] });
    expect(halted.structuredContent).toBeUndefined();
    await client.close();
  });
});

describe('MCP, by the conformance suite of its makers', () => {
  test.concurrent.each(Object.entries(HELD))('%s holds', { timeout: 240_000 }, async (revision, held) => {
    const proxy = await startBearerProxy(new URL(`${instance.origin}/mcp/${workspaceId}`), await addKey(ALL));
    try {
      await expectHeld(proxy.url, revision, held);
    } finally {
      await proxy.stop();
    }
  });
});

/**
 * What a client can be held to that asks nobody for input in the middle of a call, and is given its token by people instead of an
 * authorization server.
 */
test.each([
  ['2026-07-28', 'tools_call'],
  ['2026-07-28', 'request-metadata'],
  ['2026-07-28', 'http-standard-headers'],
  ['2026-07-28', 'http-custom-headers'],
  ['2026-07-28', 'http-invalid-tool-headers'],
  ['2026-07-28', 'json-schema-ref-no-deref'],
  ['2026-07-28', 'json-schema-2020-12-preservation'],
  ['2025-11-25', 'initialize'],
  ['2025-11-25', 'tools_call'],
  ['2025-11-25', 'sse-retry'],
  ['2025-11-25', 'json-schema-2020-12-preservation'],
])('our client of MCP holds what %s requires in the scenario %s', { timeout: 120_000 }, async (revision, scenario) => {
  const checks = await tryClient(scenario, revision);
  expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
  expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([]);
});

describe('A2A', () => {
  // a key of its own: with those above, all calls of this file may come within one minute, and more than one key may make
  beforeAll(async () => {
    key = await addKey(ALL);
  });
  const cardOf = (workflow: string, workspace = workspaceId) =>
    `${instance.origin}/a2a/${workspace}/${workflow}/.well-known/agent-card.json`;
  const fetchBy =
    (by: string): typeof fetch =>
    (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${by}`);
      return fetch(input, { ...init, headers });
    };
  /** The SDK's own client of the agent that a workflow is. */
  async function connect(
    workflow: string,
    Binding: typeof JsonRpcTransportFactory | typeof RestTransportFactory = JsonRpcTransportFactory,
  ) {
    const fetchImpl = fetchBy(key);
    const factory = new ClientFactory({
      transports: [new Binding({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    });
    return factory.createFromUrl(cardOf(workflow), '');
  }
  type Said = { data?: object; text?: string; messageId?: string; contextId?: string; taskId?: string; returnImmediately?: boolean };
  function saying({ data, text, messageId = randomUUID(), contextId = '', taskId = '', returnImmediately = false }: Said) {
    const plain = { metadata: undefined, filename: '' };
    const message: Message = {
      ...{ messageId, contextId, taskId, role: Role.ROLE_USER, metadata: undefined, extensions: [], referenceTaskIds: [] },
      parts: [
        ...(data === undefined ? [] : [{ ...plain, content: { $case: 'data' as const, value: data }, mediaType: 'application/json' }]),
        ...(text === undefined ? [] : [{ ...plain, content: { $case: 'text' as const, value: text }, mediaType: 'text/plain' }]),
      ],
    };
    const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately };
    return { tenant: '', message, configuration, metadata: undefined };
  }
  const isTask = (answer: Message | Task): answer is Task => !('messageId' in answer);
  async function send(client: A2aClient, said: Said): Promise<Task> {
    const answer = await client.sendMessage(saying(said));
    if (!isTask(answer)) throw new Error('a message instead of a task');
    return answer;
  }
  const output = (task: Task) => task.artifacts[0]?.parts[0]?.content?.value;
  const stateOf = (task: Pick<Task, 'status'>) => task.status?.state;
  const wordsOf = (task: Task) => {
    const content = task.status?.message?.parts[0]?.content;
    return content?.$case === 'text' ? content.value : '';
  };
  const eventOf = ({ payload }: StreamResponse) =>
    payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? TaskState[stateOf(payload.value) ?? 0] : payload?.$case;

  test('a published workflow is an agent with a card, which answers a message by the task that its run is', async () => {
    const client = await connect(doubling);
    const card = await client.getAgentCard();
    expect(card).toMatchObject({ name: 'Double a number', version: '1', skills: [{ id: doubling, name: 'Double a number' }] });
    const address = `${instance.origin}/a2a/${workspaceId}/${doubling}`;
    expect(card.supportedInterfaces).toMatchObject([
      { url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${address}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]);
    expect(JSON.stringify(card.capabilities?.extensions)).toContain('"required":["n"]');
    const task = await send(client, { data: { n: 21 }, contextId: 'talk 1' });
    expect(task).toMatchObject({ contextId: 'talk 1', status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect(output(task)).toBe(42);
    expect((await call(`/runs/${task.id}`)).body).toMatchObject({ status: 'completed', output: 42 });
    const known = await client.getTask({ tenant: '', id: task.id });
    expect(known).toEqual(task);
    expect(await send(client, { data: { n: 21 } })).not.toMatchObject({ id: task.id });
    const listed = await client.listTasks({
      ...{ tenant: '', contextId: 'talk 1', status: 0, pageToken: '' },
      statusTimestampAfter: undefined,
    });
    expect(listed.tasks.map(({ id }) => id)).toEqual([task.id]);
    const page = async (pageToken: string) =>
      client.listTasks({
        ...{ tenant: '', contextId: '', status: TaskState.TASK_STATE_COMPLETED, pageSize: 1, pageToken },
        ...{ statusTimestampAfter: undefined, includeArtifacts: true },
      });
    const first = await page('');
    const second = await page(first.nextPageToken);
    expect([first.totalSize > 1, first.tasks[0]?.id === second.tasks[0]?.id, second.tasks[0]?.artifacts.length]).toEqual([true, false, 1]);
    await expect(send(client, { data: { n: 'many' } })).rejects.toThrow(/does not fit.*n/);
  });

  test('a stream tells of the task as it goes', async () => {
    const events: (string | undefined)[] = [];
    for await (const event of (await connect(doubling)).sendMessageStream(saying({ data: { n: 4 } }))) events.push(eventOf(event));
    expect(events[0]).toMatch(/^TASK_STATE_/);
    expect(events.at(-1)).toBe('TASK_STATE_COMPLETED');
    if (events.length > 1) expect(events.at(-2)).toBe('artifactUpdate');
  });

  test('a message that arrives again, also at the same moment, starts one run; another message under its id starts none', async () => {
    const client = await connect(doubling);
    const said = { data: { n: 7 }, messageId: randomUUID() };
    const tasks = await Promise.all([send(client, said), send(client, said), send(client, said)]);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    expect((await send(client, said)).id).toBe(tasks[0]?.id);
    await expect(send(client, { ...said, data: { n: 8 } })).rejects.toThrow('used for another message');
  });

  test('an approval is INPUT_REQUIRED, which a message does not decide; whoever subscribes hears of the decision', async () => {
    const client = await connect(asking);
    const task = await send(client, {});
    expect(stateOf(task)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(wordsOf(task)).toContain(`${instance.origin}/dashboard/approvals/`);
    expect(wordsOf(task)).toMatch(/^“[^”]+ · #\d+” waits for an approval\./);
    const again = await send(client, { text: 'approved', taskId: task.id, returnImmediately: true });
    expect(again).toMatchObject({ id: task.id, status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } });
    const events: (string | undefined)[] = [];
    for await (const event of client.resubscribeTask({ tenant: '', id: task.id })) {
      if (events.push(eventOf(event)) === 1) await approve(task.id);
    }
    expect([events[0], events.at(-1)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
    expect(stateOf(await client.getTask({ tenant: '', id: task.id }))).toBe(TaskState.TASK_STATE_COMPLETED);
    await expect(client.resubscribeTask({ tenant: '', id: task.id }).next()).rejects.toThrow('has ended');
    await expect(send(client, { text: 'more', taskId: task.id })).rejects.toThrow('has ended');
  });

  test('a form, also of a run that it has called, is INPUT_REQUIRED with its page; a wait for a time is not', async () => {
    const client = await connect(filling);
    const task = await send(client, {});
    expect([stateOf(task), wordsOf(task)]).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED, expect.stringContaining('/dashboard/tasks/')]);
    await fillIn(wordsOf(task).split(' ').at(-1) ?? '', '3');
    await until('the end', async () => {
      const now = await client.getTask({ tenant: '', id: task.id });
      return stateOf(now) === TaskState.TASK_STATE_COMPLETED ? output(now) : undefined;
    });
    const through = await send(await connect(calling), {});
    expect([stateOf(through), wordsOf(through)]).toEqual([
      TaskState.TASK_STATE_INPUT_REQUIRED,
      expect.stringContaining('/dashboard/approvals/'),
    ]);
    const steps = [{ id: 'later', name: 'Later', kind: 'wait', seconds: 3_600 }];
    const resting = await connect(await addWorkflow('Rest an hour', { steps }));
    const { id } = await send(resting, { returnImmediately: true });
    await until('the wait', async () => ((await call(`/runs/${id}`)).body.status === 'waiting' ? true : undefined));
    expect(stateOf(await resting.getTask({ tenant: '', id }))).toBe(TaskState.TASK_STATE_WORKING);
    const listed = async (status: TaskState) =>
      (await resting.listTasks({ tenant: '', contextId: '', status, pageToken: '', statusTimestampAfter: undefined })).tasks.length;
    expect([await listed(TaskState.TASK_STATE_WORKING), await listed(TaskState.TASK_STATE_INPUT_REQUIRED)]).toEqual([1, 0]);
  });

  test('fifty messages and fifty streams at once: each has its own answer', async () => {
    const client = await connect(doubling);
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const tasks = await Promise.all(numbers.map((n) => send(client, { data: { n } })));
    expect(tasks.map(output)).toEqual(numbers.map((n) => 2 * n));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(numbers.length);
    const streams = await Promise.all(
      numbers.map(async (n) => {
        const seen = { tasks: new Set<string | undefined>(), output: undefined as unknown };
        for await (const { payload } of client.sendMessageStream(saying({ data: { n } }))) {
          if (payload?.$case === 'task') {
            seen.tasks.add(payload.value.id);
            seen.output ??= output(payload.value);
          } else if (payload?.$case === 'artifactUpdate') {
            seen.tasks.add(payload.value.taskId);
            seen.output = payload.value.artifact?.parts[0]?.content?.value;
          } else if (payload?.$case === 'statusUpdate') seen.tasks.add(payload.value.taskId);
        }
        return seen;
      }),
    );
    expect(streams.map((seen) => seen.output)).toEqual(numbers.map((n) => 2 * n));
    expect(streams.map((seen) => seen.tasks.size)).toEqual(numbers.map(() => 1));
  });

  test('cancelling a task cancels its run, once', async () => {
    const client = await connect(asking);
    const { id } = await send(client, {});
    const cancel = () => client.cancelTask({ tenant: '', id, metadata: undefined });
    expect((await Promise.all([cancel(), cancel()])).map(stateOf)).toEqual(Array(2).fill(TaskState.TASK_STATE_CANCELED));
    expect((await call(`/runs/${id}`)).body.status).toBe('cancelled');
    const done = await send(await connect(doubling), { data: { n: 1 } });
    await expect((await connect(doubling)).cancelTask({ tenant: '', id: done.id, metadata: undefined })).rejects.toThrow('has ended');
  });

  test('the same is there over HTTP+JSON: send, stream, get, list, input required, cancel, and errors by their status', async () => {
    const client = await connect(doubling, RestTransportFactory);
    const task = await send(client, { data: { n: 5 }, contextId: 'rest' });
    expect([stateOf(task), output(task)]).toEqual([TaskState.TASK_STATE_COMPLETED, 10]);
    expect(await client.getTask({ tenant: '', id: task.id })).toEqual(task);
    const filter = { tenant: '', contextId: 'rest', status: TaskState.TASK_STATE_COMPLETED, pageToken: '' };
    const listed = await client.listTasks({ ...filter, statusTimestampAfter: undefined });
    expect(listed.tasks.map(({ id }) => id)).toEqual([task.id]);
    const events: (string | undefined)[] = [];
    for await (const event of client.sendMessageStream(saying({ data: { n: 4 } }))) events.push(eventOf(event));
    expect(events.at(-1)).toBe('TASK_STATE_COMPLETED');

    const asked = await connect(asking, RestTransportFactory);
    const waiting = await send(asked, {});
    expect(stateOf(waiting)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const heard: (string | undefined)[] = [];
    for await (const event of asked.resubscribeTask({ tenant: '', id: waiting.id })) {
      if (heard.push(eventOf(event)) === 1) await approve(waiting.id);
    }
    expect([heard[0], heard.at(-1)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
    const other = await send(asked, {});
    expect(stateOf(await asked.cancelTask({ tenant: '', id: other.id, metadata: undefined }))).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.getTask({ tenant: '', id: waiting.id })).rejects.toThrow('There is no task');
    await expect(send(client, { data: { n: 'many' } })).rejects.toThrow(/does not fit.*n/);

    const rest = (path: string, init: RequestInit = {}, by = key) =>
      fetchBy(by)(`${instance.origin}/a2a/${workspaceId}/${doubling}/rest/${path}`, {
        ...init,
        headers: { 'A2A-Version': '1.0', ...init.headers },
      });
    const statuses = [
      rest(`tasks/${randomUUID()}`),
      rest('message:send', { method: 'POST', body: 'no json', headers: { 'content-type': 'application/json' } }),
      rest('message:send', { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } }),
      rest('tasks?pageSize=none'),
      rest('tasks', { headers: { origin: 'https://evil.example' } }),
      rest('tasks', {}, 'qk_nobody'),
    ];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 400, 415, 400, 403, 401]);
  });

  test('the instance has one address for all its workflows, and a card that names none of them', async () => {
    const card = await (await fetch(`${instance.origin}/.well-known/agent-card.json`)).text();
    expect(JSON.parse(card)).toMatchObject({ name: 'Quorate', supportedInterfaces: [{ url: `${instance.origin}/a2a` }] });
    expect(card).not.toContain('Double a number');
    const post = async (params: object, method = 'SendMessage') => {
      const response = await fetchBy(key)(`${instance.origin}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return response.json() as Promise<{ error?: { code: number; message: string }; result?: { task?: { id: string }; id?: string } }>;
    };
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: { n: 3 } }] };
    expect((await post({ message })).error).toMatchObject({ code: -32602, message: expect.stringContaining('Name a published workflow') });
    const id = (await post({ message: { ...message, metadata: { workflow: doubling } } })).result?.task?.id;
    expect((await post({ id }, 'GetTask')).result).toMatchObject({ id, artifacts: [{ parts: [{ data: 6 }] }] });
  });

  test('says clearly why it refuses: no key, no scope, another workspace, a foreign page, too many calls, a halt, what it cannot do', async () => {
    const here = `${instance.origin}/a2a/${workspaceId}/${doubling}`;
    const ask = async (headers: Record<string, string>, address = here, method = 'ListTasks') => {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'A2A-Version': '1.0', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
      });
      return { status: response.status, body: (await response.json()) as { detail?: string; error?: { code: number } } };
    };
    const authorization = `Bearer ${key}`;
    expect(await ask({})).toMatchObject({ status: 401, body: { detail: expect.stringContaining('Bearer qk_') } });
    expect((await fetch(cardOf(doubling))).status).toBe(401);
    expect((await ask({ authorization }, `${instance.origin}/a2a/${randomUUID()}/${doubling}`)).status).toBe(404);
    expect((await ask({ authorization }, `${instance.origin}/a2a/${workspaceId}/${randomUUID()}`)).status).toBe(404);
    expect((await ask({ authorization, origin: 'https://evil.example' })).status).toBe(403);
    expect(await ask({ authorization, 'A2A-Version': '0.3' })).toMatchObject({ status: 200, body: { error: { code: -32009 } } });
    expect(await ask({ authorization }, here, 'CreateTaskPushNotificationConfig')).toMatchObject({ body: { error: { code: -32003 } } });
    // From another network: no door of programs.
    const elsewhere = `Bearer ${await addKey(['runs:read', 'runs:start'], workspaceId, builder, ['10.20.0.0/16'])}`;
    for (const address of [here, `${instance.origin}/mcp/${workspaceId}`])
      expect((await ask({ authorization: elsewhere }, address)).status).toBe(401);
    expect((await fetch(`${instance.origin}/api/v1/runs`, { headers: { authorization: elsewhere } })).status).toBe(401);
    const reader = await addKey(['runs:read']);
    expect(await ask({ authorization: `Bearer ${reader}` })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('runs:start') },
    });
    const hasty = await addKey(['runs:start']);
    expect((await ask({ authorization: `Bearer ${hasty}` })).status).toBe(200);
    const [row] = await instance.query<{ id: string }>('select id from quorate.api_keys where key_hash = $1', [
      createHash('sha256').update(hasty).digest(),
    ]);
    const subject = createHash('sha256')
      .update(row?.id ?? '')
      .digest('base64url');
    await instance.query('update quorate.rate_limits set hits = 600 where key = $1', [`keyPace:${subject}`]);
    expect(await ask({ authorization: `Bearer ${hasty}` })).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('Too many') },
    });

    const client = await connect(doubling);
    const other = await send(await connect(asking), {});
    for (const id of [randomUUID(), 'none', other.id]) await expect(client.getTask({ tenant: '', id })).rejects.toThrow('There is no task');
    await arrange(`update quorate.workspaces set halted_at = now(), halt_reason = 'test' where id = $1`, [workspaceId]);
    const refused = await send(client, { data: { n: 4 } });
    await arrange('update quorate.workspaces set halted_at = null, halt_reason = null where id = $1', [workspaceId]);
    expect([stateOf(refused), wordsOf(refused)]).toEqual([TaskState.TASK_STATE_REJECTED, expect.stringContaining('halted')]);
  });

  const post = (body: object, headers: Record<string, string> = {}, path = '') =>
    fetch(`${instance.origin}/a2a/${workspaceId}/${doubling}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'A2A-Version': '1.0', ...headers },
      body: JSON.stringify(body),
    });
  const message = (contextId: string) => ({ messageId: randomUUID(), role: 'ROLE_USER', contextId, parts: [{ data: { n: 1 } }] });

  test('tasks are listed by the time of their status, with their artifacts where these are asked for', async () => {
    const client = await connect(doubling);
    const tasks = [];
    for (let n = 0; n < 3; n += 1) tasks.push(await send(client, { data: { n }, contextId: 'a list' }));
    // The first of them changes last.
    await arrange('update quorate.runs set updated_at = clock_timestamp() where id = $1', [tasks[0]?.id]);
    const expected = [tasks[0], tasks[2], tasks[1]].map((task) => task?.id);
    const asked = {
      tenant: '',
      contextId: 'a list',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: '',
      statusTimestampAfter: undefined,
    };
    const plain = await client.listTasks({ ...asked, pageSize: 10 });
    expect(plain.tasks.map(({ id }) => id)).toEqual(expected);
    expect(plain.tasks.flatMap(({ artifacts }) => artifacts)).toEqual([]);
    const paged: string[] = [];
    for (let pageToken = '', first = true; first || pageToken !== ''; first = false) {
      const page = await client.listTasks({ ...asked, pageSize: 1, pageToken, includeArtifacts: true });
      expect(page.tasks.map(output)).toHaveLength(1);
      expect(output(page.tasks[0] as Task)).toBeTypeOf('number');
      paged.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    }
    expect(paged).toEqual(expected);
    await expect(client.listTasks({ ...asked, pageToken: 'nonsense' })).rejects.toThrow(/pageToken/);
  });

  test('what a task says keeps its id, a context that is too long is refused, and so is what is no JSON', async () => {
    const waiting = await send(await connect(asking), {});
    const said = async () => (await (await connect(asking)).getTask({ tenant: '', id: waiting.id })).status?.message?.messageId;
    expect(await said()).toBe(waiting.status?.message?.messageId);
    const call = (contextId: string) => ({ jsonrpc: '2.0', id: 7, method: 'SendMessage', params: { message: message(contextId) } });
    expect(await (await post(call('c'.repeat(201)))).json()).toMatchObject({ id: 7, error: { code: -32602 } });
    expect((await post({ message: message('c'.repeat(201)) }, {}, '/rest/message:send')).status).toBe(400);
    expect(await (await post(call('c'.repeat(200)))).json()).toMatchObject({ result: { task: { contextId: 'c'.repeat(200) } } });
    expect(await (await post(call(''), { 'content-type': 'text/plain' })).json()).toMatchObject({ id: 7, error: { code: -32005 } });
  });

  test('a card may be kept: it has a tag, and whoever has it is told that it is still the same', async () => {
    const authorization = `Bearer ${key}`;
    for (const [address, kept] of [
      [cardOf(doubling), 'private'],
      [`${instance.origin}/.well-known/agent-card.json`, 'public'],
    ] as const) {
      const card = await fetch(address, { headers: { authorization } });
      await card.json();
      expect(card.headers.get('Cache-Control')).toMatch(new RegExp(`^${kept}, max-age=[1-9]`));
      const tag = card.headers.get('ETag') ?? '';
      expect(tag).toMatch(/^".+"$/);
      const again = await fetch(address, { headers: { authorization, 'If-None-Match': tag } });
      expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, tag, '']);
      expect((await fetch(address, { headers: { authorization, 'If-None-Match': '"another"' } })).status).toBe(200);
    }
    expect((await fetch(cardOf(doubling))).status).toBe(401);
  });
});

describe('an MCP server that runs as a process of this machine', () => {
  test('is chosen by its name beside its exact command, and called in a run under policy', async () => {
    const person = await signInAs(instance.server(), 'builder');
    expect(await (await person.get('/dashboard/plugins/new')).text()).toContain('href="/dashboard/plugins/local"');
    const page = await (await person.get('/dashboard/plugins/local')).text();
    expect(page).toContain(`${process.execPath} `);
    expect(page).toContain(shared);
    const connect = (server: string) => person.post('/dashboard/plugins/local', { ...hiddenFields(page), name: 'Files', server });
    const refused = await connect('another');
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('does not allow such servers')]);
    const connected = await connect('files');
    const [, id] = /\/dashboard\/plugins\/([0-9a-f-]{36})/.exec(connected.headers.get('Location') ?? '') ?? [];
    expect([connected.status, typeof id]).toEqual([303, 'string']);
    await arrange('update quorate.capabilities set approved_fingerprint = fingerprint where connection_id = $1', [id]);
    const reading = await addWorkflow('Read a file', {
      steps: [
        {
          id: 'read',
          name: 'Read',
          kind: 'tool',
          connection: 'files',
          capability: 'read_text_file',
          input: { path: join(shared, 'note.txt') },
        },
      ],
    });
    const run = await finished((await start(reading, {})).body.id);
    expect([run.status, JSON.stringify(run.output)]).toEqual(['completed', expect.stringContaining('From a file of this machine')]);
    const decisions = await instance.query<{ verdict: string }>('select verdict from quorate.decisions where run_id = $1', [run.id]);
    expect(decisions).toMatchObject([{ verdict: 'allow' }]);
  });
});

/** Makes the call of a line for curl, split as a shell splits it. */
async function curl(line: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const words = [...line.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const after = (option: string) => words.flatMap((word, place) => (word === option ? [words[place + 1] ?? ''] : []));
  const headers = after('-H').map((header) => header.split(': ', 2) as [string, string]);
  const response = await fetch(words[1] ?? '', { method: 'POST', headers, body: after('-d').join('') });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('the calls that the start page shows to copy do what they say', async () => {
  const filled = Object.entries(codeSamples(instance.origin)).map(([name, text]) => [
    name,
    text.replaceAll('WORKSPACE', workspaceId).replaceAll('WORKFLOW', doubling).replaceAll('API-KEY', key).replaceAll('INPUT', '{"n": 21}'),
  ]);
  const { mcp = '', a2a = '', api = '' } = Object.fromEntries(filled);
  const { quorate } = (JSON.parse(mcp) as { mcpServers: { quorate: { url: string; headers: Record<string, string> } } }).mcpServers;
  const client = new Client({ name: 'start-page', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(quorate.url), { requestInit: { headers: quorate.headers } }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('double_a_number');
  await client.close();
  expect(await curl(a2a)).toMatchObject({ status: 200, body: { result: { task: { artifacts: [{ parts: [{ data: 42 }] }] } } } });
  const started = await curl(api);
  expect(started.status).toBeLessThan(300);
  await until('the run to end', async () => {
    const answer = await call(`/runs/${String(started.body.id)}`);
    return answer.body.status === 'completed';
  });
});
