/** Schedules fire once, webhooks only when signed; both act as the publisher, and end with the membership. */

import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clientContext, requestIdContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { hookSealContext } from '#app/domain/workflows/triggers.ts';
import { runSchedules, type ScheduleDeps } from '#app/engine/triggers/run-schedules.ts';
import { signWebhook } from '#app/engine/webhooks/standard-webhooks.ts';
import { receiveHook } from '#app/features/triggers/receive-hook.server.ts';
import { createSealer } from '#app/platform/crypto.server.ts';
import { createDatabase, type Database } from '#app/platform/database/database.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

const SECRET = 'whsec_of_the_test';
const sealer = createSealer('a secret of the test that is long enough');
let db: TestDatabase;
/** Another worker process. */
let other: Database;
let here: TestWorkspace & { members: TestMember[] };
let publisher: TestMember;
let artifactId: string;
let versionId: string;
let clock: Date;
let enqueued: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  other = createDatabase({ login: db.appLogin, log: quietLog });
});
afterAll(async () => {
  await other.close();
  await db.close();
});

beforeEach(async () => {
  clock = new Date('2026-11-20T08:59:30Z');
  enqueued = [];
  here = await db.makeWorkspace({ members: [{ roles: ['builder', 'approver', 'admin'] }, { roles: ['admin'] }] });
  const [first] = here.members;
  if (first === undefined) throw new Error('no member');
  publisher = first;
  artifactId = newId();
  versionId = newId();
  const document = {
    format: 'quorate.workflow/1',
    input: [{ name: 'amount', title: 'Amount', type: 'number', required: false }],
    subject: 'Amount {{ input.amount }}',
    steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' }],
  };
  await arrange(async (query) => {
    await query(
      "insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'Screening', $3, 'active')",
      [artifactId, here.id, publisher.id],
    );
    await query(
      'insert into quorate.versions (id, workspace_id, artifact_id, number, author_id, document, content_hash) values ($1, $2, $3, 1, $4, $5, $6)',
      [versionId, here.id, artifactId, publisher.id, JSON.stringify(document), 'h'],
    );
    await query('update quorate.artifacts set published_version_id = $2 where id = $1', [artifactId, versionId]);
  });
});

type Query = (text: string, values?: unknown[]) => Promise<unknown>;
const arrange = (work: (query: Query) => Promise<void>) =>
  db.arrange(here.id, (client) => work((text, values) => client.query(text, values)));

async function addTrigger(kind: 'schedule' | 'webhook', nextAt: string | null): Promise<string> {
  const id = newId();
  const settings = kind === 'schedule' ? { cron: '0 * * * *', timeZone: 'Europe/Berlin', input: { amount: 5 } } : {};
  await arrange(async (query) => {
    await query(
      'insert into quorate.triggers (id, workspace_id, artifact_id, kind, name, settings, secret_sealed, next_at, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        id,
        here.id,
        artifactId,
        kind,
        'Hourly',
        JSON.stringify(settings),
        kind === 'webhook' ? sealer.seal(SECRET, hookSealContext(id)) : null,
        nextAt,
        publisher.id,
      ],
    );
  });
  return id;
}

function worker(database: Database = db.database, over: Partial<ScheduleDeps['engine']> = {}): ScheduleDeps {
  return {
    asApp: database.app,
    asTrigger: (id, work) => database.asTrigger(id, true, work),
    engine: { enqueueRun: async (_, run) => void enqueued.push(run.id), admitRun: async () => undefined, sealer, ...over },
    newId,
    clock: { now: () => clock },
    log: quietLog,
  };
}

/** Runs of this workspace that a sweep started: the database is shared by the tests. */
async function sweep(deps: ScheduleDeps): Promise<string[]> {
  const started = await runSchedules(deps);
  const here = new Set((await runs()).map(({ id }) => id));
  return started.filter((id) => here.has(id));
}
const runs = async () =>
  (await db.owner.query('select id, initiator_id, trigger_kind, input, mode from quorate.runs where workspace_id = $1', [here.id])).rows;
const row = async (id: string) => (await db.owner.query('select * from quorate.triggers where id = $1', [id])).rows[0];
const events = async () =>
  (
    await db.owner.query(
      "select action, actor_kind, actor_id, actor_name, payload from quorate.audit_events where workspace_id = $1 and actor_kind = 'trigger'",
      [here.id],
    )
  ).rows;

test('a schedule fires at its time, once, as the publisher, with one event of the trigger', async () => {
  const id = await addTrigger('schedule', '2026-11-20T09:00:00Z');
  expect(await sweep(worker())).toEqual([]);
  clock = new Date('2026-11-20T09:00:02Z');
  const [run] = await sweep(worker());
  expect(await sweep(worker())).toEqual([]);
  expect(await runs()).toEqual([{ id: run, initiator_id: publisher.id, trigger_kind: 'schedule', input: { amount: 5 }, mode: 'live' }]);
  expect(enqueued).toEqual([run]);
  expect(await row(id)).toMatchObject({ next_at: new Date('2026-11-20T10:00:00Z'), last_run_id: run, last_refusal: null });
  expect(await events()).toMatchObject([{ action: 'run.started', actor_id: publisher.id, actor_name: 'Hourly' }]);
});

test('many workers at once start one run', async () => {
  await addTrigger('schedule', '2026-11-20T09:00:00Z');
  clock = new Date('2026-11-20T09:00:02Z');
  const started = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => sweep(worker(number % 2 === 0 ? other : db.database))));
  expect(started.flat()).toHaveLength(1);
  expect(await runs()).toHaveLength(1);
});

test('a schedule that comes when too many runs wait is started later, and says nothing of a refusal', async () => {
  const id = await addTrigger('schedule', '2026-11-20T09:00:00Z');
  clock = new Date('2026-11-20T09:00:02Z');
  const full = () => Promise.reject(new AppError('over_limit', { values: { what: 'queue', seconds: 7 } }));
  expect(await sweep(worker(db.database, { admitRun: full }))).toEqual([]);
  expect(await row(id)).toMatchObject({ next_at: new Date('2026-11-20T09:00:00Z'), last_refusal: null });
  expect(await events()).toEqual([]);
  clock = new Date('2026-11-20T09:00:20Z');
  expect(await sweep(worker())).toHaveLength(1);
  expect(await row(id)).toMatchObject({ next_at: new Date('2026-11-20T10:00:00Z') });
});

test('a worker that dies before its commit leaves nothing, and another fires once', async () => {
  const id = await addTrigger('schedule', '2026-11-20T09:00:00Z');
  clock = new Date('2026-11-20T09:00:02Z');
  // the process ends with the run written and not yet committed
  const dying = worker(other, {
    enqueueRun: async () => void (await db.cutConnections('quorate')),
  });
  expect(await sweep(dying)).toEqual([]);
  expect(await runs()).toEqual([]);
  expect(await row(id)).toMatchObject({ next_at: new Date('2026-11-20T09:00:00Z') });
  // A pool learns of a connection that was cut when it next asks for something: the sweep after that one is the other worker's.
  await expect.poll(() => sweep(worker()).catch((error: unknown) => error)).toHaveLength(1);
  expect(await sweep(worker())).toEqual([]);
  expect(await runs()).toHaveLength(1);
});

test('times missed while nothing ran count as one; a clock that is put back repeats nothing', async () => {
  const id = await addTrigger('schedule', '2026-11-20T09:00:00Z');
  clock = new Date('2026-11-20T13:20:00Z');
  expect(await sweep(worker())).toHaveLength(1);
  expect(await row(id)).toMatchObject({ next_at: new Date('2026-11-20T14:00:00Z') });
  clock = new Date('2026-11-20T12:00:05Z');
  expect(await sweep(worker())).toEqual([]);
  clock = new Date('2026-11-20T13:00:05Z');
  expect(await sweep(worker())).toEqual([]);
  clock = new Date('2026-11-20T14:00:05Z');
  expect(await sweep(worker())).toHaveLength(1);
});

test.each([
  ['halted', 'update quorate.workspaces set halted_at = now() where id = $1'],
  ['paused', "update quorate.artifacts set status = 'inactive' where workspace_id = $1 and kind = 'workflow'"],
])('what is %s starts nothing, and says so', async (reason, change) => {
  const id = await addTrigger('schedule', '2026-11-20T09:00:00Z');
  await arrange(async (query) => void (await query(change, [here.id])));
  clock = new Date('2026-11-20T09:00:02Z');
  expect(await sweep(worker())).toEqual([]);
  expect(await runs()).toEqual([]);
  expect(await row(id)).toMatchObject({ last_refusal: reason, next_at: new Date('2026-11-20T10:00:00Z') });
  expect(await events()).toMatchObject([{ action: 'trigger.refused', payload: { reason } }]);
});

test('a trigger ends with its publisher’s membership', async () => {
  await addTrigger('schedule', '2026-11-20T09:00:00Z');
  const hook = await addTrigger('webhook', null);
  await arrange(
    async (query) => void (await query('delete from quorate.members where workspace_id = $1 and user_id = $2', [here.id, publisher.id])),
  );
  clock = new Date('2026-11-20T09:00:02Z');
  expect(await sweep(worker())).toEqual([]);
  expect((await call(hook, '{}')).status).toBe(401);
  expect(await runs()).toEqual([]);
});

test('a trigger has none of its publisher’s other powers', async () => {
  const id = await addTrigger('webhook', null);
  const roles = await db.database.asTrigger(id, false, async (tx) => {
    const { rows } = await sql<{ roles: string }>`select quorate.part_of_principal(4) as roles`.execute(tx);
    return rows[0]?.roles;
  });
  expect(roles).toBe('builder,user');
});

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);

/** The headers of Standard Webhooks. */
function signed(body: string, { at = clock, secret = SECRET, key = `msg_${randomUUID()}` } = {}): Record<string, string> {
  const seconds = secondsOf(at);
  return {
    'webhook-id': key,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secret, { id: key, seconds, body }),
  };
}

/** As calls were signed before. */
const signedBefore = (body: string, at = clock) => {
  const mac = createHmac('sha256', SECRET)
    .update(`${secondsOf(at)}.${body}`)
    .digest('hex');
  return { 'Quorate-Signature': `t=${secondsOf(at)},v1=${mac}` };
};

/** Whether a start is taken. */
let admitRun: () => Promise<void> = async () => undefined;

/** Callers that are no test's subject each come from an address of their own. */
let addresses = 0;
async function call(id: string, body: string, headers = signed(body), address = `198.51.100.${++addresses}`): Promise<Response> {
  const context = new RouterContextProvider();
  const services = {
    access: { asNobody: db.database.app, asTrigger: (hook: string, work: never) => db.database.asTrigger(hook, false, work) },
    engine: { sealer, admitRun, enqueueRun: async (_: unknown, run: { id: string }) => void enqueued.push(run.id) },
    newId,
    now: () => clock,
    origin: 'https://quorate.example',
    log: quietLog,
    paceCeilings: { keys: 6_000, hooks: 1_200 },
  };
  context.set(clientContext, { address, secure: true });
  context.set(requestIdContext, 'a request of a test');
  context.set(servicesContext, services as unknown as Services);
  const request = new Request(`https://quorate.example/hooks/${id}`, {
    method: 'POST',
    body,
    headers,
  });
  return receiveHook({ request, id, context });
}

test('a signed call starts a run with the fields of the input, and answers its address, number and subject', async () => {
  const id = await addTrigger('webhook', null);
  const answer = await call(id, '{"amount": 7, "unknown": true}');
  expect(answer.status).toBe(202);
  const { run, address, number, subject } = await answer.json();
  expect({ number, subject }).toEqual({ number: 1, subject: 'Amount 7' });
  expect(address).toBe(`https://quorate.example/dashboard/runs/${run}`);
  expect(answer.headers.get('Location')).toBe(address);
  expect(await runs()).toEqual([{ id: run, initiator_id: publisher.id, trigger_kind: 'webhook', input: { amount: 7 }, mode: 'live' }]);
  expect(await events()).toMatchObject([{ action: 'run.started', actor_kind: 'trigger', actor_id: publisher.id }]);
});

test('a signed call that comes when too many runs wait is told when to send again, and then starts', async () => {
  const id = await addTrigger('webhook', null);
  const headers = signed('{"amount": 7}');
  admitRun = () => Promise.reject(new AppError('over_limit', { values: { what: 'queue', seconds: 7 } }));
  const refused = await call(id, '{"amount": 7}', headers).finally(() => {
    admitRun = async () => undefined;
  });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('7');
  expect(refused.headers.get('Content-Type')).toContain('problem+json');
  expect(await runs()).toEqual([]);
  expect((await call(id, '{"amount": 7}', headers)).status).toBe(202);
});

test('the same call again starts nothing, and another body with its id is refused', async () => {
  const id = await addTrigger('webhook', null);
  const headers = signed('{"amount": 1}');
  const first = await (await call(id, '{"amount": 1}', headers)).json();
  expect(await (await call(id, '{"amount": 1}', headers)).json()).toEqual(first);
  const key = 'order-17';
  const second = await (await call(id, '{"amount": 2}', signed('{"amount": 2}', { key }))).json();
  clock = new Date(clock.getTime() + 60_000);
  expect(await (await call(id, '{"amount":2}', signed('{"amount":2}', { key }))).json()).toEqual(second);
  expect((await call(id, '{"amount": 3}', signed('{"amount": 3}', { key }))).status).toBe(409);
  const twice = signed('{"amount": 4}');
  const both = await Promise.all([call(id, '{"amount": 4}', twice), call(id, '{"amount": 4}', twice)]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  expect(await runs()).toHaveLength(3);
});

test('an overheard call cannot be started once more under another id or key, as it is signed now and as it was before', async () => {
  const id = await addTrigger('webhook', null);
  const body = '{"amount": 1}';
  const headers = signed(body);
  expect((await call(id, body, headers)).status).toBe(202);
  expect((await call(id, body, { ...headers, 'webhook-id': 'msg_other' })).status).toBe(401);
  expect((await call(id, body, { ...headers, 'Idempotency-Key': 'other' })).status).toBe(202);
  expect(await runs()).toHaveLength(1);
  expect((await call(id, body, signedBefore(body))).status).toBe(202);
  expect((await call(id, body, { ...signedBefore(body), 'Idempotency-Key': 'other' })).status).toBe(202);
  expect(await runs()).toHaveLength(2);
});

test('what is not signed, wrongly signed, too old, ahead or unknown is refused alike', async () => {
  const id = await addTrigger('webhook', null);
  const body = '{"amount": 1}';
  const minutes = (count: number) => new Date(clock.getTime() + count * 60_000);
  const refusals = [
    await call(id, body, {}),
    await call(id, body, { 'Quorate-Signature': 'v1=abc' }),
    await call(id, body, { ...signed(body), 'webhook-signature': 'v1,abc' }),
    await call(id, body, signed(body, { secret: 'whsec_YW5vdGhlcg==' })),
    await call(id, body, signed('{"amount": 2}')),
    await call(id, body, signed(body, { at: minutes(-6) })),
    await call(id, body, signed(body, { at: minutes(6) })),
    await call(id, body, signed(body, { key: 'with.dot' })),
    await call(id, body, signedBefore(body, minutes(-6))),
    await call(randomUUID(), body),
    await call('no-id', body),
    await call(await addTrigger('schedule', null), body),
  ];
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 401));
  expect(new Set(await Promise.all(refusals.map((answer) => answer.text())))).toHaveProperty('size', 1);
  expect(await runs()).toEqual([]);
});

test('a body that does not fit, a paused workflow and a halt are answered as what they are', async () => {
  const id = await addTrigger('webhook', null);
  for (const body of ['[]', 'no json', '{"amount": "much"}']) expect((await call(id, body)).status, body).toBe(400);
  await arrange(async (query) => void (await query("update quorate.artifacts set status = 'inactive' where id = $1", [artifactId])));
  expect((await call(id, '{}')).status).toBe(409);
  await arrange(async (query) => void (await query('update quorate.workspaces set halted_at = now() where id = $1', [here.id])));
  expect((await call(id, '{}')).status).toBe(423);
  expect(await runs()).toEqual([]);
});

test('a webhook takes the calls of a minute that its workspace allows, then 429 with when to come back', async () => {
  const id = await addTrigger('webhook', null);
  const set = (hooks: number) =>
    arrange(
      async (query) =>
        void (await query('update quorate.workspaces set settings = $2 where id = $1', [
          here.id,
          JSON.stringify({ paces: { keys: 10, hooks } }),
        ])),
    );
  await set(3);
  for (let number = 0; number < 3; number += 1) expect((await call(id, '{"amount": 1}')).status).toBe(202);
  const answer = await call(id, '{"amount": 1}');
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  await set(5);
  expect((await call(id, '{"amount": 1}')).status).toBe(202);
});

test('wrong signatures are counted by address, and never keep a right one out', async () => {
  const id = await addTrigger('webhook', null);
  const wrong = () => call(id, '{}', {}, '203.0.113.9');
  for (let number = 0; number < 30; number += 1) expect((await wrong()).status).toBe(401);
  const refused = await wrong();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(800);
  expect((await call(id, '{"amount": 1}', signed('{"amount": 1}'), '203.0.113.9')).status).toBe(202);
});
