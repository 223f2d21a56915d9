import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Mail } from '#app/contracts/ports.ts';
import { judgeHealth } from '#app/domain/people/health.ts';
import { checkStretch } from '#app/engine/audit/check-log.ts';
import { queueLogAlarms } from '#app/engine/audit/queue-alarms.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { auditNext, type SelfAuditDeps } from '#app/engine/audit/self-audit.ts';
import { type SequencerDeps, startSequencer } from '#app/engine/audit/sequencer.ts';
import { measureHealth } from '#app/engine/health/read-health.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { logAlarmMail } from '#app/platform/log/log-alarm-mail.server.ts';
import { memoryMarks } from '#tests/support/memory-marks.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
/** More than two pieces of a whole audit. */
const ENTRIES = 600;

let test: TestDatabase;
let workspace: string;
let admin: TestMember;
let marks: ReturnType<typeof memoryMarks>;
let sequencing: SequencerDeps;
let auditing: SelfAuditDeps;
let sequencer: { stop(): Promise<void>; wake(): void } | undefined;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(async () => {
  await test.close();
});
beforeEach(async () => {
  // Whatever was left due by the test before is none of this one.
  await test.owner.query('update quorate.log_audits set next_at = $1', ['2999-01-01']);
  const made = await test.makeWorkspace({ members: [{ roles: ['user', 'admin'] }] });
  workspace = made.id;
  [admin] = made.members as [TestMember];
  marks = memoryMarks();
  const { asWorker, app: asApp } = test.database;
  sequencing = { asWorker, asApp, signer, marks, newId, log: quietLog };
  // Whatever the sample picks, only a whole audit looks at all.
  auditing = { asWorker, asApp, signer, marks, newId, startedAt: new Date(0), random: () => 0, log: quietLog };
});
afterEach(async () => {
  await sequencer?.stop();
  sequencer = undefined;
});

const write = () =>
  test.database.asWorker(workspace, async (db) => {
    const id = newId();
    const entry = { action: 'workflow.edited' as const, resource: { kind: 'test', id } };
    await recordEvent(db, { id, actor: { kind: 'worker', id: null, name: null }, workspaceId: workspace, entry });
  });

/** Many entries in one statement; the rule of one event a change is for changes. */
async function writeMany(count: number): Promise<void> {
  await asDatabaseOwner(
    `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, at)
     select gen_random_uuid(), $1, 'system', 'test.written', 'test', n::text, now() + n * interval '1 ms' from generate_series(1, $2::int) n`,
    [workspace, count],
  );
}

/** Past every guard, as whoever holds the database can. */
async function asDatabaseOwner(statement: string, values: unknown[]): Promise<void> {
  const client = await test.owner.connect();
  const tables = ['audit_events', 'audit_nodes', 'checkpoints'];
  try {
    await client.query('begin');
    for (const table of tables) await client.query(`alter table quorate.${table} disable trigger user`);
    await client.query(statement, values);
    for (const table of tables) await client.query(`alter table quorate.${table} enable trigger user`);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function sequence(): Promise<void> {
  sequencer ??= startSequencer(sequencing);
  await expect
    .poll(async () => {
      const { rows } = await test.owner.query<{ open: number }>(
        'select count(*)::int as open from quorate.audit_events where workspace_id = $1 and leaf_index is null',
        [workspace],
      );
      return rows[0]?.open;
    })
    .toBe(0);
  await sequencer.stop();
  sequencer = undefined;
}

/** What the product finds on its own: `pieces` of work that are due, one after the other. Returns what health says. */
async function auditAll(): Promise<{ state: string; code: string | undefined; wholeAt: string | null }> {
  await test.owner.query('update quorate.log_audits set next_at = now() where workspace_id = $1', [workspace]);
  while (await auditNext(auditing));
  return await health();
}
async function health() {
  const figures = await test.database.asMember({ userId: admin.id, sessionId: admin.sessionId, workspaceId: workspace }, measureHealth, {
    readOnly: true,
  });
  const { state } = judgeHealth({ ...figures, unplacedSince: null }, false);
  return { state, code: figures.log.finding?.code, values: figures.log.finding?.values, wholeAt: figures.log.wholeAt };
}

/** The database as it was when the log had `size` entries: rows, tree and checkpoints fit one another. */
async function rollBack(size: number): Promise<void> {
  await asDatabaseOwner(
    `with nodes as (delete from quorate.audit_nodes where workspace_id = $1 and ((idx + 1) << level) > $2::bigint),
      heads as (delete from quorate.checkpoints where workspace_id = $1 and size > $2::bigint)
     delete from quorate.audit_events where workspace_id = $1 and (leaf_index is null or leaf_index >= $2::bigint)`,
    [workspace, size],
  );
}

describe('Quorate audits its own log', () => {
  it('finds nothing in a sound log, and has looked at everything after a start', async () => {
    await writeMany(ENTRIES);
    await sequence();
    const found = await auditAll();
    expect(found).toMatchObject({ state: 'healthy', code: undefined, wholeAt: expect.any(String) });
  });

  it.each([
    [
      'the last entry',
      'delete from quorate.audit_events where workspace_id = $1 and leaf_index = (select max(leaf_index) from quorate.audit_events where workspace_id = $1)',
      'entryDropped',
    ],
    ['an entry in the middle', 'delete from quorate.audit_events where workspace_id = $1 and leaf_index = 300', 'entryDropped'],
    ['a content', `update quorate.audit_events set resource_id = 'else' where workspace_id = $1 and leaf_index = 300`, 'entryChanged'],
    [
      'a content with its digests',
      `update quorate.audit_events e set resource_id = o.resource_id, salt = o.salt, body_digest = o.body_digest, leaf_hash = o.leaf_hash from quorate.audit_events o where e.workspace_id = $1 and o.workspace_id = $1 and e.leaf_index = 300 and o.leaf_index = 301`,
      'entryChanged',
    ],
    ['a blanked content', 'update quorate.audit_events set salt = null where workspace_id = $1 and leaf_index = 300', 'entryBlanked'],
    ['a leaf', `update quorate.audit_nodes set hash = sha256('x') where workspace_id = $1 and level = 0 and idx = 300`, 'entryChanged'],
    [
      'a node of the tree',
      `update quorate.audit_nodes set hash = sha256('x') where workspace_id = $1 and level = 3 and idx = 37`,
      'treeChanged',
    ],
    ['a removed node', 'delete from quorate.audit_nodes where workspace_id = $1 and level = 3 and idx = 37', 'treeChanged'],
    ['the root', `update quorate.audit_nodes set hash = sha256('x') where workspace_id = $1 and level = 9 and idx = 0`, 'treeChanged'],
    [
      'a checkpoint',
      `update quorate.checkpoints set note = replace(note, 'log.test/', 'log.best/') where workspace_id = $1`,
      'checkpointChanged',
    ],
  ])('finds %s, tampered with: health turns, and stays so', async (_, harm, code) => {
    await writeMany(ENTRIES);
    await sequence();
    expect(await auditAll()).toMatchObject({ state: 'healthy' });
    auditing.startedAt = new Date();
    await asDatabaseOwner(harm, [workspace]);
    expect(await auditAll()).toMatchObject({ state: 'fault', code });
    // and says so again the next minute
    expect(await auditAll()).toMatchObject({ state: 'fault', code });
  });

  it('finds its guards switched off, and is well again once they are on', async () => {
    await write();
    await sequence();
    await test.owner.query('alter table quorate.audit_events disable trigger guard_removal');
    expect(await auditAll()).toMatchObject({ state: 'fault', code: 'unguarded' });
    await test.owner.query('alter table quorate.audit_events enable trigger guard_removal');
    expect(await auditAll()).toMatchObject({ state: 'healthy', code: undefined });
  });

  it('holds nothing against a log that grows while it is looked at, whatever its size was then', async () => {
    await writeMany(ENTRIES);
    await sequence();
    const sizes = [...Array(70).keys(), 127, 128, 129, 255, 256, 257, ENTRIES - 1].map((n) => n + 1);
    const found = await test.database.asWorker(workspace, async (db) => {
      const faults: unknown[] = [];
      for (const size of sizes)
        for (const [level, index] of [
          [8, 0],
          [6, Math.floor((size - 1) / 64)],
        ] as const) {
          const finding = await checkStretch(db, workspace, signer, { level, index, size });
          if (finding !== null) faults.push({ size, level, finding });
        }
      return faults;
    });
    expect(found).toEqual([]);
  });

  it('continues with a whole audit where another process ended', async () => {
    await writeMany(ENTRIES);
    await sequence();
    await test.owner.query('update quorate.log_audits set next_at = now() where workspace_id = $1', [workspace]);
    expect(await auditNext(auditing)).toBe(true);
    const { rows } = await test.owner.query('select whole_from, whole_at from quorate.log_audits where workspace_id = $1', [workspace]);
    expect(rows).toEqual([{ whole_from: 256, whole_at: null }]);
    expect(await auditAll()).toMatchObject({ state: 'healthy', wholeAt: expect.any(String) });
  });

  it('tells the admins and the operator once, by mail, each in their language', async () => {
    await test.owner.query('insert into quorate.preferences (user_id, settings) values ($1, $2)', [admin.id, { language: 'de' }]);
    await write();
    await sequence();
    await asDatabaseOwner('delete from quorate.audit_events where workspace_id = $1 and leaf_index = 0', [workspace]);
    await auditAll();
    const queue = () =>
      queueLogAlarms({
        asApp: test.database.app,
        newId,
        logAlarmMail,
        operatorEmail: 'operator@example.com',
        origin: 'https://quorate.test',
      });
    await queue();
    await auditAll();
    await queue();
    const { rows } = await test.owner.query<{ target: string } & Pick<Mail, 'subject'> & { body: string }>(
      'select target, subject, body from quorate.deliveries where workspace_id = $1 order by target',
      [workspace],
    );
    expect(rows.map(({ target }) => target).sort()).toEqual([admin.email, 'operator@example.com'].sort());
    const [toAdmin, toOperator] = [admin.email, 'operator@example.com'].map((email) => rows.find(({ target }) => target === email));
    expect(toAdmin?.subject).toBe('Das Audit-Log von Test workspace wurde verändert');
    expect(toAdmin?.body).toContain('Eintrag 0 fehlt.');
    expect(toOperator?.subject).toBe('The audit log of Test workspace was changed');
    expect(toOperator?.body).toContain('Entry 0 is missing.');
    for (const mail of [toAdmin, toOperator]) expect(mail?.body).toContain('https://quorate.test/dashboard/admin/health');
  });
});

describe('after a roll-back of the database to an earlier state', () => {
  beforeEach(async () => {
    for (const _ of [1, 2, 3]) await write();
    await sequence();
    await write();
    await write();
    await sequence();
    await rollBack(4);
    await write();
  });
  const refusals: string[] = [];
  async function tryToSign() {
    refusals.length = 0;
    const log = { ...quietLog, error: (_: string, fields?: { error?: unknown }) => void refusals.push(String(fields?.error)) };
    sequencer = startSequencer({ ...sequencing, log });
    await expect.poll(() => refusals.length).toBeGreaterThan(0);
    await sequencer.stop();
    sequencer = undefined;
  }
  const newestSize = async () => {
    const { rows } = await test.owner.query<{ size: number }>('select max(size) as size from quorate.checkpoints where workspace_id = $1', [
      workspace,
    ]);
    return rows[0]?.size;
  };

  it('signs nothing, tells a backup from tampering in words, and continues once a person has accepted it', async () => {
    await tryToSign();
    expect(refusals[0]).toContain('the log is shorter than what was signed. If you restored a backup, continue with: npm run accept-log');
    expect(await newestSize()).toBe(4);
    expect(await auditAll()).toMatchObject({ state: 'fault', code: 'earlierState', values: { size: 4, signed: 6 } });
    marks.accept(workspace);
    await sequence();
    const { rows } = await test.owner.query(
      `select leaf_index, payload from quorate.audit_events where workspace_id = $1 and action = 'log.accepted'`,
      [workspace],
    );
    expect(rows).toEqual([
      { leaf_index: expect.any(Number), payload: { signedSize: 6, signedRoot: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    expect(await newestSize()).toBe(6);
    expect(await auditAll()).toMatchObject({ state: 'healthy', code: undefined });
    await write();
    await sequence();
    expect(await newestSize()).toBe(7);
  });

  it('signs no other history either, once the log has grown past the mark elsewhere', async () => {
    const elsewhere = { ...sequencing, marks: memoryMarks() };
    for (const _ of [1, 2, 3]) await write();
    sequencer = startSequencer(elsewhere);
    await expect.poll(newestSize).toBe(8);
    await sequencer.stop();
    await write();
    await tryToSign();
    expect(refusals[0]).toContain('the log is another than what was signed');
    expect(await newestSize()).toBe(8);
    expect(await auditAll()).toMatchObject({ state: 'fault', code: 'otherHistory' });
  });

  it('signs nothing on a mark that cannot be read', async () => {
    marks.marks.set(workspace, { head: null, accepted: false });
    await tryToSign();
    expect(refusals[0]).toContain('the mark of what was signed cannot be read');
    expect(await auditAll()).toMatchObject({ state: 'fault', code: 'markUnreadable' });
  });
});
