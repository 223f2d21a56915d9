/** Notifications, mails and webhooks name the run that they are about, and keep nothing of it that an erasure does not reach. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { Mail } from '#app/contracts/ports.ts';
import { type NoticeRun, readNoticeAsked, readNoticeRun } from '#app/domain/people/notifications.ts';
import { type DeliveryDeps, deliverDue } from '#app/engine/jobs/deliver.ts';
import { queueNotifications } from '#app/engine/notifications/queue-notifications.ts';
import { runOfNotice } from '#app/features/notifications/load-inbox.server.ts';
import { createLogSigner, createSealer } from '#app/platform/crypto.server.ts';
import { noticeWriter } from '#app/platform/notice-words.server.ts';
import { notificationMail } from '#app/platform/notification-mail.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>;
let deps: DeliveryDeps;
let mails: Mail[] = [];
let posted: { [name: string]: Json }[] = [];
let mailFault: Error | null = null;
const sealer = createSealer('a secret of this test alone');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  workflow = await fixture.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
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
      posted.push(await new Request(input, init).json());
      return new Response(null, { status: 204 });
    },
    signer: createLogSigner('a secret of this test alone', 'log.test'),
    sealer,
    log: quietLog,
    newId,
    now: () => new Date(),
    checkpointMail: () => ({ subject: '', text: '' }),
    logAlarmMail: () => ({ subject: '', text: '' }),
    operatorEmail: null,
    notificationMail,
    noticeWriter,
    origin: 'https://quorate.example',
  };
});
afterAll(async () => {
  await fixture?.close();
  await test?.close();
});

const insertRun = async (starter: TestMember, subject: Json, mode = 'live') => {
  const id = newId();
  await test.arrange(workspace.id, (client) =>
    client
      .query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, subject) values ($1, $2, $3, $4, $5, $6, 'processing', $7)`,
        [id, workspace.id, workflow.artifactId, workflow.versionId, mode, starter.id, JSON.stringify(subject)],
      )
      .then(() => undefined),
  );
  return { id, number: (await fixture.run(id)).number as number };
};
const arrange = (text: string, values: unknown[]) =>
  test.arrange(workspace.id, (client) => client.query(text, values).then(() => undefined));
const fail = (run: string) => arrange("update quorate.runs set status = 'failed' where id = $1", [run]);
const ACTION = { capability: { name: 'transfer' }, input: { payee: 'Mira Lund' } };
const ask = async (run: string) => {
  const id = newId();
  await arrange(
    `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
     values ($1, $2, $3, 'a', 'Pay', $6, 'd', '{}', 'low', $4, $5, now() + interval '1 day')`,
    [id, workspace.id, run, workspace.builder.id, workspace.admin.id, JSON.stringify(ACTION)],
  );
  return id;
};
const wish = (member: TestMember, settings: object) =>
  test.owner.query(
    'insert into quorate.preferences (user_id, settings) values ($1, $2) on conflict (user_id) do update set settings = excluded.settings',
    [member.id, JSON.stringify(settings)],
  );
/** Runs and sentences that the inbox of a member looks up, the newest first. */
const lookedUp = (member: TestMember): Promise<Json[]> =>
  test.database.asMember(
    { userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id },
    async (db) => {
      const rows = await db
        .selectFrom('quorate.notifications as n')
        .where('n.user_id', '=', member.id)
        .orderBy('n.id', 'desc')
        .select(runOfNotice.as('run'))
        .execute();
      return rows.map(({ run }) => run);
    },
    { readOnly: true },
  );
/** The runs that it names. */
const named = async (member: TestMember): Promise<(NoticeRun | null)[]> => (await lookedUp(member)).map(readNoticeRun);
const everything = async (table: 'notifications' | 'deliveries' | 'caught_mails') =>
  JSON.stringify((await test.owner.query(`select * from quorate.${table}`)).rows);

describe('a notification', () => {
  it('names the run that it is about, directly or by its approval', async () => {
    const run = await insertRun(workspace.builder, ['Jon Smith · ', { amount: 9900, currency: 'EUR' }]);
    await ask(run.id);
    await fail(run.id);
    const name = { ...run, subject: ['Jon Smith · ', { amount: 9900, currency: 'EUR' }], workflow: 'Test workflow' };
    expect((await named(workspace.approver))[0]).toEqual(name);
    expect((await named(workspace.builder))[0]).toEqual(name);
    expect(await everything('notifications')).not.toContain('Jon Smith');
    const [sentence] = (await lookedUp(workspace.approver)).map(readNoticeAsked);
    expect(sentence).toEqual({ action: 'transfer', values: [{ field: 'payee', parts: ['Mira Lund'] }] });
    expect(await everything('notifications')).not.toContain('Mira Lund');
  });

  it('names none to a person who may not see it', async () => {
    const person = await test.makeUser({ email: 'only.user@example.com', name: 'Only User' });
    const member = { ...person, sessionId: await test.makeSession(person.id) };
    await arrange(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', $3, $4)`, [
      workspace.id,
      member.id,
      member.name,
      member.email,
    ]);
    const others = await insertRun(workspace.builder, ['Jon Smith']);
    const own = await insertRun(member as TestMember, ['Own matter']);
    for (const { id } of [others, own])
      await test.owner.query('insert into quorate.notifications (id, workspace_id, user_id, kind, subject) values ($1, $2, $3, $4, $5)', [
        newId(),
        workspace.id,
        member.id,
        'message',
        JSON.stringify({ key: 'notifyMessage', values: { title: 'A', workflow: 'W' }, about: { kind: 'run', id } }),
      ]);
    expect((await named(member as TestMember)).map((run) => run?.id ?? null)).toEqual([own.id, null]);
    while ((await queueNotifications(deps)) > 0);
    mails = [];
    while ((await deliverDue(deps)) > 0);
    const mail = mails.find(({ to }) => to === member.email);
    expect(mail?.text).toContain('Own matter · #');
    expect(mail?.text).not.toContain('Jon Smith');
  });
});

describe('a mail and a webhook', () => {
  it('name the run; what is kept of them says no more of a person who is erased', async () => {
    const zora = await test.makeUser({ email: 'zora.quell@example.com', name: 'Zora Quell' });
    const sessionId = await test.makeSession(zora.id);
    await arrange(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', $3, $4)`, [
      workspace.id,
      zora.id,
      zora.name,
      zora.email,
    ]);
    await wish(workspace.builder, {
      language: 'de',
      notifications: { failure: { mail: true, webhook: true } },
      notificationWebhook: {
        url: 'https://hooks.example/me',
        secret: Buffer.from(sealer.seal('whsec_c2VjcmV0', `notificationWebhook:${workspace.builder.id}`)).toString('base64'),
      },
    });
    while ((await queueNotifications(deps)) > 0);
    while ((await deliverDue(deps)) > 0);
    [mails, posted] = [[], []];
    const run = await insertRun(workspace.builder, ['Zora Quell · ', { amount: 9900, currency: 'EUR' }]);
    await fail(run.id);
    mailFault = new Error('the mailbox is away');
    expect(await queueNotifications(deps)).toBeGreaterThan(0);
    await deliverDue(deps);
    expect(posted[0]?.run).toEqual({ ...run, subject: 'Zora Quell · 9900 EUR', workflow: 'Test workflow' });
    // A mail that waits for its next attempt holds the name, as its reader gets it; the webhook, which is kept, does not.
    const waiting = "select subject, body from quorate.deliveries where kind = 'mail' and status = 'pending' and target = $1";
    const [mail] = (await test.owner.query(waiting, [workspace.builder.email])).rows;
    expect(mail.body).toContain(`Zora Quell · 9.900,00\u00A0€ · #${run.number}\n`);
    const kept = await test.owner.query("select body from quorate.deliveries where kind = 'webhook'");
    expect(JSON.stringify(kept.rows)).not.toContain('Zora');
    const catchMail = (text: string) =>
      test.owner.query("insert into quorate.caught_mails (id, recipient, subject, text_body) values ($1, 'a@b.example', 'S', $2)", [
        newId(),
        text,
      ]);
    await catchMail(`Zora Quell · 9.900 €\nhttps://quorate.example/dashboard/runs/${run.id}\n`);
    await catchMail(`Another payee\nhttps://quorate.example/dashboard/runs/${run.id}\n`);

    await test.owner.query('update quorate.audit_events set leaf_index = 2000000 + xid::text::bigint % 1000000 where leaf_index is null');
    await test.owner.query('select quorate.delete_account($1, $2)', [zora.id, sessionId]);
    for (const table of ['notifications', 'deliveries', 'caught_mails'] as const) expect(await everything(table)).not.toContain('Zora');
    expect(await everything('caught_mails')).toContain('Another payee');
    mailFault = null;
    while ((await queueNotifications(deps)) > 0);
    while ((await deliverDue(deps)) > 0);
    expect(mails.find(({ to }) => to === workspace.builder.email)?.text).toContain(`9.900,00\u00A0€ · #${run.number}\n`);
    expect(JSON.stringify(mails)).not.toContain('Zora');
    // A mail that was sent keeps neither text nor subject.
    const sent = await test.owner.query("select distinct subject, body from quorate.deliveries where kind = 'mail' and status = 'success'");
    expect(sent.rows).toEqual([{ subject: '', body: '' }]);
  });
});
