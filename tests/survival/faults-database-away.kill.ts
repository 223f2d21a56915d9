/**
 * The database is away, has no connection left or stands still: programs get 503 in the shape of their protocol, people a calm page in
 * their language with what they typed, and both hear when to come back. Afterwards everything continues on its own.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { addKey } from '#tests/survival/support/add-key.ts';
import { type Instance, superuser } from '#tests/survival/support/instance.ts';
import { full } from '#tests/survival/support/kills.ts';
import { openBrowser, type Person } from '#tests/survival/support/person.ts';
import { postmastersOf, processesOf } from '#tests/survival/support/processes.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

/** How long the database is away or stands still: longer than a lease in the whole suite. */
const AWAY_MS = full ? 30_000 : 0;
/** A caller waits five seconds for a free connection and is then refused. */
const ANSWERED_WITHIN_MS = 20_000;

let instance: Instance;
let builder: Person;
let workspaceId: string;
let workflow: string;
let asking: string;
let run: string;
let key: string;
prepareStage({}, async (stage) => {
  ({ instance, builder } = stage);
  ({ workspaceId } = stage.workspace);
  workflow = await stage.workspace.addWorkflow([{ id: 't', name: 'T', kind: 'transform', expression: '1' }]);
  asking = await stage.workspace.addWorkflow([{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' }]);
  key = await addKey(instance, workspaceId, ['runs:read', 'runs:start']);
  run = await startRun(workflow);
  // Every door has been passed once: what it loads is not part of what is measured.
  for (const { name, ask } of doors())
    expect([name, (await drop(ask())).status]).toEqual([name, expect.toSatisfy((status) => status < 500)]);
});

const drop = async (answer: Promise<Response>) => {
  const response = await answer;
  await response.body?.cancel();
  return response;
};
const program = (path: string, body?: unknown, more: Record<string, string> = {}) =>
  fetch(`${instance.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'A2A-Version': '1.0',
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const hook = () =>
  program(
    '/hooks/0190c0de-0000-7000-8000-000000000000',
    {},
    { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,AAAA', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) },
  );
async function startRun(workflowId: string): Promise<string> {
  const answer = await program('/api/v1/runs', { workflowId, input: {} });
  return ((await answer.json()) as { id: string }).id;
}
const rpc = (method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: {} }] };
const as = (person: Person, path: string, headers: Record<string, string> = {}) =>
  fetch(`${instance.origin}${path}`, { redirect: 'manual', headers: { cookie: person.cookie(), ...headers } });
const typed = { name: 'Typed before the outage', description: 'Kept & whole' };
const post = (path: string, form: Record<string, string>, person: Person = builder, headers: Record<string, string> = {}) =>
  fetch(`${instance.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: person.cookie(), ...headers },
  });

type Shape = 'problem' | 'json-rpc' | 'rest' | 'json' | 'page' | 'data' | 'text';
type Door = { name: string; shape: Shape; words?: string[]; ask: () => Promise<Response> };

/** Every kind of address that needs the database. `words`: what the answer says. */
const doors = (): Door[] => [
  { name: 'API, who am I', shape: 'problem', ask: () => program('/api/v1/key') },
  { name: 'API, list', shape: 'problem', ask: () => program('/api/v1/runs') },
  { name: 'API, start', shape: 'problem', ask: () => program('/api/v1/runs', { workflowId: workflow, input: {} }) },
  { name: 'webhook', shape: 'problem', ask: hook },
  { name: 'MCP, list', shape: 'json-rpc', ask: () => program(`/mcp/${workspaceId}`, rpc('tools/list')) },
  { name: 'A2A, list', shape: 'json-rpc', ask: () => program(`/a2a/${workspaceId}/${workflow}`, rpc('ListTasks')) },
  { name: 'A2A, send', shape: 'json-rpc', ask: () => program(`/a2a/${workspaceId}/${workflow}`, rpc('SendMessage', { message })) },
  {
    name: 'A2A, stream',
    shape: 'json-rpc',
    ask: () => program(`/a2a/${workspaceId}/${workflow}`, rpc('SendStreamingMessage', { message })),
  },
  { name: 'A2A of the instance', shape: 'json-rpc', ask: () => program('/a2a', rpc('SendMessage', { message })) },
  { name: 'A2A over HTTP+JSON', shape: 'rest', ask: () => program(`/a2a/${workspaceId}/${workflow}/rest/tasks`) },
  { name: 'A2A card', shape: 'problem', ask: () => program(`/a2a/${workspaceId}/${workflow}/.well-known/agent-card.json`) },
  { name: 'page', shape: 'page', words: ['Nothing was changed'], ask: () => as(builder, '/dashboard/runs') },
  { name: 'German page', shape: 'page', words: ['Es wurde nichts geändert', 'lang="de"'], ask: () => as(speaking('de'), '/dashboard') },
  { name: 'Arabic page', shape: 'page', words: ['لم يتغيّر شيء', 'dir="rtl"'], ask: () => as(speaking('ar'), '/dashboard/workflows') },
  {
    name: 'page of nobody',
    shape: 'page',
    words: ['Nothing was changed'],
    ask: () => as(openBrowser(instance.origin), `/invitations/${'a'.repeat(43)}`),
  },
  {
    name: 'form',
    shape: 'page',
    words: ['value="Typed before the outage"', 'value="Kept &amp; whole"'],
    ask: () => post('/dashboard/workflows/new', typed),
  },
  {
    name: 'German form',
    shape: 'page',
    words: ['Nichts wurde geändert', 'value="Typed before the outage"'],
    ask: () => post('/dashboard/workflows/new', typed, speaking('de')),
  },
  {
    name: 'sign-in',
    shape: 'page',
    words: ['value="someone@example.com"'],
    ask: () => post('/auth?mode=sign-in', { email: 'someone@example.com', password: 'not theirs' }, openBrowser(instance.origin)),
  },
  { name: 'data of the router', shape: 'data', ask: () => as(builder, '/dashboard/runs.data') },
  {
    name: 'form of the router',
    shape: 'data',
    words: ['Typed before the outage'],
    ask: () => post('/dashboard/workflows/new.data', typed),
  },
  { name: 'events of a run', shape: 'json', ask: () => as(builder, `/dashboard/runs/${run}/events`, { accept: 'text/event-stream' }) },
  { name: 'events of a person', shape: 'json', ask: () => as(builder, '/dashboard/notifications/events', { accept: 'text/event-stream' }) },
  { name: 'health', shape: 'text', ask: () => fetch(`${instance.origin}/healthz`) },
];
const speaking = (language: string): Person => ({ ...builder, cookie: () => `${builder.cookie()}; lng=${language}` });

const TYPES: Record<Shape, string> = {
  problem: 'application/problem+json',
  'json-rpc': 'application/json',
  rest: 'application/json',
  json: 'application/json',
  page: 'text/html',
  data: 'text/x-script',
  text: 'text/plain',
};
const BODIES: Partial<Record<Shape, object>> = {
  problem: { status: 503, code: 'unavailable' },
  'json-rpc': { jsonrpc: '2.0', id: null, error: { code: -32603, message: expect.stringContaining('not available right now') } },
  rest: { error: { code: 503, status: 'UNAVAILABLE', message: expect.stringContaining('not available right now') } },
};

/** One answer of a door while the database cannot be had. */
async function expectUnavailable({ name, shape, words = [], ask }: Door): Promise<void> {
  const began = performance.now();
  const answer = await ask();
  const text = await answer.text();
  const told = [answer.status, /^\d+$/.test(answer.headers.get('Retry-After') ?? ''), answer.headers.get('Content-Type')?.split(';')[0]];
  expect.soft([name, ...told]).toEqual([name, 503, true, TYPES[shape]]);
  expect.soft(performance.now() - began, name).toBeLessThan(ANSWERED_WITHIN_MS);
  if (BODIES[shape] !== undefined) expect.soft({ name, ...JSON.parse(text) }).toMatchObject({ name, ...BODIES[shape] });
  for (const word of words) expect.soft(text, name).toContain(word);
}

/** Afterwards every door answers again, and work is done. */
async function expectBack(): Promise<void> {
  await until('health', async () => (await drop(fetch(`${instance.origin}/healthz`))).status === 200);
  await Promise.all(doors().map(({ name, ask }) => until(`${name} again`, async () => (await drop(ask())).status < 500, 20_000)));
  const id = await startRun(workflow);
  const statusOf = async () => ((await (await program(`/api/v1/runs/${id}`)).json()) as { status: string }).status;
  await until('a run to end', async () => (await statusOf()) === 'completed');
}

async function heardOrEnded(stream: Response, words: string): Promise<void> {
  let text = '';
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes(words)) return;
  }
}

/** While it lasts every door says so, and what needs no database is there; afterwards what stood open continues. */
async function expectCalm(name: string, fault: (during: () => Promise<void>) => Promise<void>): Promise<void> {
  const waiting = await startRun(asking);
  const stream = await as(builder, `/dashboard/runs/${waiting}/events`, { accept: 'text/event-stream' });
  await fault(async () => {
    await Promise.all(doors().map(expectUnavailable));
    expect.soft((await drop(fetch(`${instance.origin}/`))).status, name).toBe(200);
  });
  await expectBack();
  // Heard on, or ended so that the page asks again: never open and deaf.
  const heard = heardOrEnded(stream, 'event: change');
  expect((await drop(program(`/a2a/${workspaceId}/${asking}`, rpc('CancelTask', { id: waiting })))).status).toBe(200);
  await heard;
  expect(instance.server().process.exitCode).toBeNull();
}

test('the database is gone for a while', { timeout: 180_000 }, () =>
  expectCalm('gone', async (during) => {
    const settings = join(instance.dataDirectory, 'database', 'cluster', 'postgresql.conf');
    const [database] = postmastersOf(instance.dataDirectory);
    if (database === undefined) throw new Error('no database');
    renameSync(settings, `${settings}.away`);
    process.kill(database.pid, 'SIGKILL');
    const goneAt = Date.now();
    await until('word of it', async () => (await drop(fetch(`${instance.origin}/healthz`))).status === 503);
    await during();
    await pause(Math.max(0, goneAt + AWAY_MS - Date.now()));
    renameSync(`${settings}.away`, settings);
  }),
);

test.runIf(full)('every connection is taken', { timeout: 180_000 }, () =>
  expectCalm('no connection left', async (during) => {
    const client = new pg.Client(superuser(instance.dataDirectory));
    await client.connect();
    await client.query('begin; lock table quorate.api_keys in access exclusive mode');
    const held = Array.from({ length: 12 }, () => program('/api/v1/key'));
    await until('all of them taken', async () => {
      const { rows } = await client.query(`select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'quorate'`);
      return rows.length === 8;
    });
    await during();
    await client.query('rollback');
    await client.end();
    for (const answer of await Promise.all(held.map(drop))) expect([200, 503]).toContain(answer.status);
  }),
);

test.runIf(full)('the database stands still', { timeout: 180_000 }, () =>
  expectCalm('still', async (during) => {
    const found = processesOf(instance.dataDirectory).filter(({ line }) => line.startsWith('postgres:') || /\/postgres -D /.test(line));
    for (const { pid } of found) process.kill(pid, 'SIGSTOP');
    const stillSince = Date.now();
    try {
      await during();
      await pause(Math.max(0, stillSince + AWAY_MS - Date.now()));
    } finally {
      for (const { pid } of found) process.kill(pid, 'SIGCONT');
    }
  }),
);
