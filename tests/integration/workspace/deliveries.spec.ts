import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { Mail } from '#app/contracts/ports.ts';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { queueDueCheckpoints } from '#app/engine/audit/queue-checkpoints.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { type DeliveryDeps, deliverDue } from '#app/engine/jobs/deliver.ts';
import { DELIVERY_ATTEMPTS } from '#app/engine/jobs/retry-pause.ts';
import { webhookSecret } from '#app/engine/jobs/webhook.ts';
import { resendAction } from '#app/features/dev-console/load-dev-console.server.ts';
import { sendAgainAction } from '#app/features/notifications/send-again-action.server.ts';
import { createLogSigner, createSealer } from '#app/platform/crypto.server.ts';
import { noticeWriter } from '#app/platform/notice-words.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const sealer = createSealer('a secret of this test alone');
const signer = createLogSigner('a secret of this test alone', 'log.test');
let test: TestDatabase;
let deps: DeliveryDeps;
let mails: Mail[];
let calls: Request[];
let mailFault: Error | null;
let status: number;

beforeAll(async () => {
  test = await createTestDatabase();
  deps = {
    asWorker: test.database.asWorker,
    asApp: test.database.app,
    mailer: {
      send: async (mail) => {
        if (mailFault !== null) throw mailFault;
        mails.push(mail);
      },
    },
    fetch: async (input, init) => {
      calls.push(new Request(input, init));
      return new Response(null, { status });
    },
    signer,
    sealer,
    log: quietLog,
    newId,
    now: () => new Date(),
    checkpointMail: ({ workspace, size, note }) => ({ subject: `Checkpoint of ${workspace}`, text: `${size}\n${note}` }),
    logAlarmMail: ({ workspace }) => ({ subject: `Alarm of ${workspace}`, text: '' }),
    operatorEmail: null,
    noticeWriter,
    notificationMail: ({ language, workspace, messages }) => ({
      subject: `${language} ${workspace}`,
      text: messages.map(({ subject, link }) => `${subject.key} ${link}`).join('\n'),
    }),
    origin: 'https://quorate.example',
  };
});
beforeEach(() => {
  mails = [];
  calls = [];
  mailFault = null;
  status = 204;
});
afterAll(async () => {
  await test.close();
});

const queue = async (workspace: string | null, kind: 'mail' | 'webhook', target: string) => {
  const id = newId();
  await test.owner.query(
    "insert into quorate.deliveries (id, workspace_id, kind, target, subject, body) values ($1, $2, $3, $4, 'Subject', 'Body')",
    [id, workspace, kind, target],
  );
  return id;
};
const row = async (id: string) =>
  (await test.owner.query('select status, attempts, last_error, next_attempt_at, delivered_at from quorate.deliveries where id = $1', [id]))
    .rows[0];
const dueNow = (id: string) => test.owner.query('update quorate.deliveries set next_attempt_at = now() where id = $1', [id]);

describe('deliveries', () => {
  it('keeps what a mail says from everyone but its receiver, and only until it is sent', async () => {
    const { id: workspace, members } = await test.makeWorkspace({ members: [{ roles: ['admin', 'auditor'] }] });
    const [admin] = members;
    if (admin === undefined) throw new Error('no admin');
    const who = { userId: admin.id, sessionId: admin.sessionId, workspaceId: workspace };
    const id = await queue(workspace, 'mail', 'guest@bank.example');
    const asked = (column: string) =>
      test.database.asMember(
        who,
        async (db) => (await sql<{ seen: string }>`select ${sql.ref(column)} as seen from quorate.deliveries`.execute(db)).rows,
      );
    expect(await asked('target')).toEqual([{ seen: 'guest@bank.example' }]);
    await expect(asked('body')).rejects.toThrow();
    await deliverDue(deps);
    expect(mails.at(-1)?.text).toBe('Body');
    expect((await test.owner.query('select status, body from quorate.deliveries where id = $1', [id])).rows).toEqual([
      { status: 'success', body: '' },
    ]);
  });

  it('sends a mail once, whoever else delivers at the same time', async () => {
    const id = await queue(null, 'mail', 'a@example.com');
    await Promise.all([deliverDue(deps), deliverDue(deps), deliverDue(deps)]);
    expect(mails).toEqual([{ to: 'a@example.com', subject: 'Subject', text: 'Body' }]);
    expect(await row(id)).toMatchObject({ status: 'success', attempts: 1, last_error: null });
  });

  it('tries again later, and gives up with the last error', async () => {
    mailFault = new Error('mailbox is full');
    const id = await queue(null, 'mail', 'b@example.com');
    await deliverDue(deps);
    const first = await row(id);
    expect(first).toMatchObject({ status: 'pending', attempts: 1, last_error: 'mailbox is full' });
    expect(first.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 20_000);
    expect(await deliverDue(deps)).toBe(0);
    for (let n = 1; n < DELIVERY_ATTEMPTS; n++) {
      await dueNow(id);
      await deliverDue(deps);
    }
    expect(await row(id)).toMatchObject({ status: 'failed', attempts: DELIVERY_ATTEMPTS, delivered_at: null });
  });

  it('signs a webhook so that its receiver can tell who called, when and with what', async () => {
    const { id: workspace } = await test.makeWorkspace({ members: [] });
    const id = await queue(workspace, 'webhook', 'https://hooks.example/quorate');
    await deliverDue(deps);
    expect(await row(id)).toMatchObject({ status: 'success' });
    const [call] = calls;
    // As a receiver of Standard Webhooks checks it: the key is the base64 behind the prefix.
    const secret = webhookSecret(signer, workspace);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const time = call?.headers.get('webhook-timestamp');
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.${time}.${await call?.text()}`)
      .digest('base64');
    expect(call?.headers.get('webhook-id')).toBe(id);
    expect(Math.abs(Number(time) - deps.now().getTime() / 1000)).toBeLessThan(60);
    expect(call?.headers.get('webhook-signature')).toBe(`v1,${mac}`);
    expect(webhookSecret(signer, newId())).not.toBe(webhookSecret(signer, workspace));
  });

  it('counts an answer that is no success, a redirect too, as a failed attempt', async () => {
    for (const answer of [302, 500]) {
      status = answer;
      const id = await queue(null, 'webhook', 'https://hooks.example/quorate');
      await deliverDue(deps);
      expect(await row(id)).toMatchObject({ status: 'pending', last_error: `HTTP ${answer}` });
    }
  });

  it('leaves what a dead process took to the next, and hears no late answer of it', async () => {
    const id = await queue(null, 'mail', 'c@example.com');
    await test.database.app(async (db) => {
      await sql`select * from quorate.claim_deliveries(20, interval '2 minutes')`.execute(db);
    });
    expect(await deliverDue(deps)).toBe(0);
    await dueNow(id);
    await deliverDue(deps);
    await test.database.app(async (db) => {
      await sql`select quorate.settle_delivery(${id}::uuid, 1, false, 'late', now())`.execute(db);
    });
    expect(await row(id)).toMatchObject({ status: 'success', attempts: 2 });
  });
});

describe('a webhook that is sent again', () => {
  const asked = (member: TestMember, workspace: string, delivery: string | readonly string[]) => {
    const who = { userId: member.id, sessionId: member.sessionId, workspaceId: workspace };
    const context = new RouterContextProvider();
    const change: MemberAccess['change'] = (work) =>
      test.database.asMember(who, async (db) => {
        const { result, event } = await work(db);
        const actor = { kind: 'member' as const, id: member.id, name: member.name };
        await recordEvent(db, { id: newId(), actor, workspaceId: workspace, entry: event });
        return result;
      });
    context.set(servicesContext, { now: () => new Date() } as unknown as Services);
    context.set(memberContext, { member: { ...who, roles: member.roles }, change } as unknown as MemberAccess);
    const several = typeof delivery !== 'string';
    const body = new URLSearchParams((several ? delivery : [delivery]).map((id) => ['delivery', id]));
    const request = new Request('http://x/', { method: 'POST', body });
    return (several ? sendAgainAction : resendAction)({ request, context }).catch((thrown: unknown) => thrown);
  };
  const pair = async () => {
    const made = await test.makeWorkspace({ members: [{ roles: ['user', 'builder'] }, { roles: ['user', 'auditor'] }] });
    return { workspace: made.id, builder: made.members[0] as TestMember, auditor: made.members[1] as TestMember };
  };

  it('goes out once more under the same id with the same body, freshly signed and audited', async () => {
    const { workspace, builder } = await pair();
    const id = await queue(workspace, 'webhook', 'https://hooks.example/quorate');
    status = 500;
    for (let n = 0; n < DELIVERY_ATTEMPTS; n += 1) {
      await dueNow(id);
      await deliverDue(deps);
    }
    expect(await row(id)).toMatchObject({ status: 'failed', attempts: DELIVERY_ATTEMPTS });
    status = 204;
    expect(await asked(builder, workspace, id)).toMatchObject({ status: 303 });
    expect(await row(id)).toMatchObject({ status: 'pending', attempts: 0, last_error: null });
    await deliverDue(deps);
    expect(await row(id)).toMatchObject({ status: 'success', attempts: 1 });
    expect(new Set(calls.map((call) => call.headers.get('webhook-id')))).toEqual(new Set([id]));
    expect(new Set(await Promise.all(calls.map((call) => call.text()))).size).toBe(1);
    expect(calls.at(-1)?.headers.get('webhook-signature')).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    const { rows } = await test.owner.query('select action from quorate.audit_events where workspace_id = $1 and resource_id = $2', [
      workspace,
      id,
    ]);
    expect(rows).toEqual([{ action: 'delivery.sentAgain' }]);
  });

  it('goes out with the others that are ticked, none of which stops the rest', async () => {
    const { workspace, builder, auditor } = await pair();
    const elsewhere = await pair();
    const two = [
      await queue(workspace, 'webhook', 'https://hooks.example/a'),
      await queue(workspace, 'webhook', 'https://hooks.example/b'),
    ];
    const foreign = await queue(elsewhere.workspace, 'webhook', 'https://hooks.example/c');
    const mail = await queue(workspace, 'mail', 'e@example.com');
    await deliverDue(deps);
    const before = await row(foreign);
    expect(await asked(auditor, workspace, two)).toMatchObject({ init: { status: 403 } });
    const answer = await asked(builder, workspace, [two[0] ?? '', mail, foreign, two[1] ?? '']);
    expect(decodeURIComponent((answer as Response).headers.get('Set-Cookie') ?? '')).toContain('"values":{"done":2,"left":2}');
    for (const id of two) expect(await row(id)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await row(foreign)).toEqual(before);
    expect(await row(mail)).toMatchObject({ status: 'success' });
    expect((await asked(builder, workspace, [])) as Response).toMatchObject({ status: 303 });
  });

  it('is asked for by builders and admins of its own workspace alone, and mails are not sent so', async () => {
    const { workspace, builder, auditor } = await pair();
    const elsewhere = await pair();
    const id = await queue(workspace, 'webhook', 'https://hooks.example/quorate');
    const mail = await queue(workspace, 'mail', 'd@example.com');
    await deliverDue(deps);
    const before = await row(id);
    expect(await asked(auditor, workspace, id)).toMatchObject({ init: { status: 403 } });
    expect(await asked(elsewhere.builder, elsewhere.workspace, id)).toMatchObject({ code: 'not_found' });
    expect(await asked(builder, workspace, mail)).toMatchObject({ code: 'not_found' });
    expect(await asked(builder, workspace, 'no id')).toMatchObject({ init: { status: 400 } });
    expect(await row(id)).toEqual(before);
  });
});

describe('checkpoints leave the instance', () => {
  const grow = async (settings: unknown) => {
    const { id, members } = await test.makeWorkspace({ name: 'Bank', members: [{ roles: ['admin'] }, { roles: ['user'] }] });
    await test.arrange(id, async (client) => {
      await client.query("update quorate.workspaces set settings = $2, created_at = now() - interval '2 days' where id = $1", [
        id,
        JSON.stringify(settings),
      ]);
    });
    await test.database.asWorker(id, (db) => placeEvents(db, id, signer, null));
    return { id, admin: members[0]?.email };
  };
  const queuedFor = async (workspace: string) =>
    (await test.owner.query('select kind, target, body from quorate.deliveries where workspace_id = $1 order by kind', [workspace])).rows;

  it('by mail to the admins, once a day', async () => {
    const { id, admin } = await grow({});
    await Promise.all([queueDueCheckpoints(deps), queueDueCheckpoints(deps)]);
    const queued = await queuedFor(id);
    expect(queued).toMatchObject([{ kind: 'mail', target: admin }]);
    expect(queued[0].body).toContain(`log.test/${id}`);
    await test.arrange(id, async () => undefined);
    await test.database.asWorker(id, (db) => placeEvents(db, id, signer, null));
    await queueDueCheckpoints(deps);
    expect(await queuedFor(id)).toHaveLength(1);
    await test.owner.query("update quorate.checkpoints set delivered_at = delivered_at - interval '25 hours' where workspace_id = $1", [
      id,
    ]);
    await queueDueCheckpoints(deps);
    expect(await queuedFor(id)).toHaveLength(2);
  });

  it('and to a webhook where one is set, without mail where that is wanted', async () => {
    const { id } = await grow({ checkpoints: { mail: false, webhook: 'https://hooks.example/checkpoints' } });
    await queueDueCheckpoints(deps);
    const queued = await queuedFor(id);
    expect(queued).toMatchObject([{ kind: 'webhook', target: 'https://hooks.example/checkpoints' }]);
    expect(JSON.parse(queued[0].body)).toMatchObject({ type: 'checkpoint', origin: `log.test/${id}` });
  });
});
