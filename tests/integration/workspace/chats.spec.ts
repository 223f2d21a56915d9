/** Notices about approvals reach chat channels in the shapes that Slack and Teams document. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { type DeliveryDeps, deliverDue } from '#app/engine/jobs/deliver.ts';
import { queueNotifications } from '#app/engine/notifications/queue-notifications.ts';
import { createLogSigner, createSealer } from '#app/platform/crypto.server.ts';
import { noticeWriter } from '#app/platform/notice-words.server.ts';
import { notificationMail } from '#app/platform/notification-mail.server.ts';
import {
  readSlack,
  readTeams,
  receiveAsSlack,
  receiveAsTeams,
  type SlackMessage,
  slackLinks,
  type TeamsMessage,
} from '#tests/integration/support/chat-receivers.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const sealer = createSealer('a secret of this test alone');
let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let run: string;
let deps: DeliveryDeps;
let slack: SlackMessage[] = [];
let teams: TeamsMessage[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  const workflow = await fixture.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  run = newId();
  await arrange(
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, subject) values ($1, $2, $3, $4, 'live', $5, 'processing', $6)`,
    [run, workspace.id, workflow.artifactId, workflow.versionId, workspace.builder.id, JSON.stringify(['<!here> & Söhne'])],
  );
  deps = {
    asWorker: test.database.asWorker,
    asApp: test.database.app,
    mailer: { send: async () => undefined },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (new URL(request.url).hostname === 'hooks.slack.example') return receiveAsSlack(request, (message) => slack.push(message));
      return receiveAsTeams(request, (message) => teams.push(message));
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
beforeEach(() => {
  [slack, teams] = [[], []];
});
afterAll(async () => {
  await fixture?.close();
  await test?.close();
});

const arrange = (text: string, values: unknown[]) =>
  test.arrange(workspace.id, (client) => client.query(text, values).then(() => undefined));

/** The approver wishes for messages in a chat; a question with these facts is asked, and told. Answers the approval. */
async function tell(format: 'slack' | 'teams', language: Language, question: string, show: Record<string, Json>): Promise<string> {
  const settings = {
    language,
    notifications: { approval: { mail: false, webhook: true } },
    notificationWebhook: {
      url: `https://hooks.${format}.example/services/T/B/x`,
      format,
      secret: Buffer.from(sealer.seal('whsec_c2VjcmV0', `notificationWebhook:${workspace.approver.id}`)).toString('base64'),
    },
  };
  await test.owner.query(
    'insert into quorate.preferences (user_id, settings) values ($1, $2) on conflict (user_id) do update set settings = excluded.settings',
    [workspace.approver.id, JSON.stringify(settings)],
  );
  const approval = newId();
  await arrange(
    `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
     values ($1::uuid, $2, $3, $1::uuid::text, $4, $5, 'd', '{}', 'low', $6, $7, '2026-12-24T09:30:00Z')`,
    [approval, workspace.id, run, 'Pay', JSON.stringify({ input: { question, show } }), workspace.builder.id, workspace.admin.id],
  );
  while ((await queueNotifications(deps)) > 0);
  while ((await deliverDue(deps)) > 0);
  const { rows } = await test.owner.query(
    `select d.status, d.last_error from quorate.deliveries d join quorate.notifications n on n.id = d.notices[1]
     where d.kind = 'webhook' and n.subject #>> '{about,id}' = $1`,
    [approval],
  );
  expect(rows).toEqual([{ status: 'success', last_error: null }]);
  return approval;
}

const HARMFUL = {
  payee: '<!channel> Jon <@U024BE7LH> <https://evil.test|Smith>',
  note: '&lt;!here&gt; @everyone <at>Everyone</at> [Approve](https://evil.test) {{DATE(2026-01-01T00:00:00Z)}}',
  amount: { amount: 9900, currency: 'EUR' },
};
const addressOf = (approval: string) => `https://quorate.example/dashboard/approvals/${approval}`;

describe('a message in Slack', () => {
  it('holds the question, the facts, the due time and one link, and acts on no word from outside', async () => {
    const approval = await tell('slack', 'en', 'Pay <!everyone> now & here?', HARMFUL);
    const [message] = slack;
    if (message === undefined) throw new Error('nothing came');
    const words = readSlack(message);
    expect(words).toContain('Pay <!everyone> now & here?');
    expect(words.find((text) => text.includes('Jon'))).toMatch(/^\S.*: <!channel> Jon <@U024BE7LH> <https:\/\/evil\.test\|Smith>$/);
    expect(words.some((text) => text.endsWith(HARMFUL.note))).toBe(true);
    expect(words.some((text) => /: €9,900\.00$/.test(text))).toBe(true);
    expect(words.some((text) => /Dec 24, 2026/.test(text))).toBe(true);
    expect(words.some((text) => text.startsWith('<!here> & Söhne · #'))).toBe(true);
    expect(slackLinks(message)).toEqual([addressOf(approval)]);
  });

  it('stays within every limit, however long and however much escaped', async () => {
    const facts = Array.from({ length: 40 }, (_, place) => [`${'&'.repeat(90)}${place}`, '<'.repeat(5_000)]);
    await tell('slack', 'de', '&'.repeat(5_000), Object.fromEntries(facts));
    expect(slack).toHaveLength(1);
    const words = readSlack(slack[0] as SlackMessage);
    expect(words.filter((text) => text.endsWith('…')).length).toBeGreaterThanOrEqual(12);
  });
});

describe('a message in Teams', () => {
  it('holds the question, the facts, the due time and one link, and acts on no word from outside', async () => {
    const approval = await tell('teams', 'en', 'Pay [now](https://evil.test)?', HARMFUL);
    const { lines, links } = readTeams(teams[0] as TeamsMessage);
    expect(lines).toContain('Pay [now](https://evil.test)?');
    expect(lines.some((text) => text.endsWith(`: ${HARMFUL.payee}`))).toBe(true);
    // A date is filled in where two braces stand together: these are kept apart.
    expect(lines.some((text) => text.endsWith(HARMFUL.note.replace('{{', '{ {')))).toBe(true);
    expect(lines.some((text) => /: €9,900\.00$/.test(text))).toBe(true);
    expect(lines.some((text) => /Dec 24, 2026/.test(text))).toBe(true);
    expect(links).toEqual([addressOf(approval)]);
    expect(JSON.stringify(teams[0])).not.toMatch(/"msteams"|"entities"|Action\./);
  });

  it('is in Arabic from right to left for who reads that', async () => {
    await tell('teams', 'ar', 'هل ندفع لشركة الميناء؟', { payee: 'شركة الميناء للنقل', amount: { amount: 9900, currency: 'EUR' } });
    const content = (teams[0] as TeamsMessage).attachments[0]?.content;
    expect([content?.lang, content?.rtl]).toEqual(['ar', true]);
    const { lines } = readTeams(teams[0] as TeamsMessage);
    expect(lines).toContain('هل ندفع لشركة الميناء؟');
    expect(lines.some((text) => text.endsWith('شركة الميناء للنقل'))).toBe(true);
  });

  it.each([
    ['that need three bytes', '漢'],
    ['of two units', '🧾'],
    ['that JSON escapes', '"'],
    ['that are spelled out', '\u200B'],
  ])('stays within 28 KB with words of signs %s', async (_, sign) => {
    const facts = Array.from({ length: 40 }, (_value, place) => [`${sign.repeat(90)}${place}`, sign.repeat(2_000)]);
    await tell('teams', 'fr', sign.repeat(3_000), Object.fromEntries(facts));
    expect(teams).toHaveLength(1);
  });
});
