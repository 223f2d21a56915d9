/** What the dashboard tells, against rows that were arranged: by role, by day, and since the last visit. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import type { Member } from '#app/contracts/principals.ts';
import { performAsPerson } from '#app/engine/commands/perform.ts';
import { keepMemberSettings } from '#app/engine/commands/personal/keep-member-settings.ts';
import { noteVisit, VISIT_ENDS_MINUTES } from '#app/engine/commands/personal/note-visit.ts';
import { readDays } from '#app/features/dashboard/read/read-days.server.ts';
import { readDesk } from '#app/features/dashboard/read/read-desk.server.ts';
import { readErrorGroups, readNewest, readSince } from '#app/features/dashboard/read/read-happening.server.ts';
import { readMyDrafts, readMyRuns } from '#app/features/dashboard/read/read-work.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let test: TestDatabase;
let fixture: RunFixture;
let here: Workspace;
let workflow: { artifactId: string; versionId: string };
beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  here = await fixture.makeWorkspace();
  workflow = await fixture.makeWorkflow(here, {});
});
afterAll(async () => {
  await fixture.close();
  await test.close();
});

const memberOf = (who: TestMember): Member => ({
  userId: who.id,
  sessionId: who.sessionId,
  email: who.email,
  name: who.name,
  roles: who.roles,
  workspace: { id: here.id, name: here.name, slug: here.slug, haltedAt: null, isDemo: false },
});
const as = <T>(who: TestMember, work: (db: Db, member: Member) => Promise<T>) =>
  test.database.asMember({ userId: who.id, sessionId: who.sessionId, workspaceId: here.id }, (db) => work(db, memberOf(who)));

type Run = { by?: TestMember; status: string; at: Date; mode?: string; error?: string; cost?: number; seconds?: number };

async function addRun({ by = here.builder, status, at, mode = 'live', error, cost, seconds = 1 }: Run): Promise<string> {
  const id = newId();
  const over = status === 'waiting' ? null : new Date(at.getTime() + seconds * 1_000);
  await test.arrange(here.id, async (client) => {
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, started_at, finished_at, cost_micros, error)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)`,
      [
        id,
        here.id,
        workflow.artifactId,
        workflow.versionId,
        mode,
        by.id,
        status,
        at,
        over,
        cost ?? null,
        error === undefined ? null : JSON.stringify({ key: error, values: {} }),
      ],
    );
    if (error !== undefined)
      await client.query(
        `insert into quorate.steps (workspace_id, run_id, path, step_id, name, kind, status, run_attempt, idempotency_key, started_at, finished_at)
         values ($1, $2, $3, $3, $4, 'transform', 'error', 1, $6, $5, $5)`,
        [here.id, id, error === 'peerTimeout' ? 'ask' : 'sum', error === 'peerTimeout' ? 'Ask' : 'Sum', at, id],
      );
  });
  return id;
}
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('the days', () => {
  it('count live runs by day and end, and compare the last seven times 24 hours with those before', async () => {
    await addRun({ status: 'completed', at: ago(MINUTE_MS), cost: 20, seconds: 4 });
    await addRun({ status: 'completed', at: ago(DAY_MS * 6), cost: 10, seconds: 2 });
    await addRun({ status: 'failed', at: ago(DAY_MS * 6) });
    await addRun({ status: 'cancelled', at: ago(DAY_MS * 7 + MINUTE_MS) });
    await addRun({ status: 'waiting', at: ago(DAY_MS * 13) });
    // Older than two weeks, and a test run: neither counts.
    await addRun({ status: 'completed', at: ago(DAY_MS * 14 + MINUTE_MS) });
    await addRun({ status: 'completed', at: ago(MINUTE_MS), mode: 'test' });
    const days = await as(here.admin, (db, member) => readDays(db, member, NOW));
    expect(days.days.map(({ at }) => at.slice(0, 10))).toEqual(
      Array.from({ length: 14 }, (_, n) => new Date(Date.parse('2026-11-07') + n * DAY_MS).toISOString().slice(0, 10)),
    );
    expect(days.week).toEqual({ started: 3, completed: 2, failed: 1, cancelled: 0, activeMs: 6_000, costMicros: 30 });
    expect(days.before).toMatchObject({ started: 2, completed: 0, failed: 0, cancelled: 1 });
    expect(days.days.at(-1)).toMatchObject({ at: '2026-11-20T00:00:00.000Z', started: 1, completed: 1, costMicros: 20 });
    expect(days.days.at(-7)).toMatchObject({ at: '2026-11-14T00:00:00.000Z', completed: 1, failed: 1 });
    expect(days.counted).toBeNull();
  });
});

describe('errors', () => {
  it('are groups of one cause and one step, the most frequent first, of the runs that the reader sees', async () => {
    const since = ago(DAY_MS * 7);
    for (const minutes of [5, 4, 3]) await addRun({ status: 'failed', at: ago(minutes * MINUTE_MS), error: 'peerTimeout' });
    await addRun({ status: 'failed', at: ago(MINUTE_MS), error: 'expressionFailed', by: here.approver });
    await addRun({ status: 'failed', at: ago(DAY_MS * 8), error: 'peerTimeout' });
    await addRun({ status: 'failed', at: ago(MINUTE_MS), error: 'peerTimeout', mode: 'test' });
    const groups = await as(here.admin, (db, member) => readErrorGroups(db, member, since, 5));
    expect(groups.map(({ key, step, runs, lastAt }) => ({ key, step, runs, lastAt }))).toEqual([
      { key: 'peerTimeout', step: 'Ask', runs: 3, lastAt: ago(3 * MINUTE_MS).toISOString() },
      { key: 'expressionFailed', step: 'Sum', runs: 1, lastAt: ago(MINUTE_MS).toISOString() },
    ]);
    const plain = { ...here.builder, roles: ['user' as const] };
    const own = await as(plain, (db, member) => readErrorGroups(db, { ...member, roles: ['user'] }, since, 5));
    expect(own.map(({ key }) => key)).toEqual(['peerTimeout']);
  });
});

describe('my work', () => {
  it('is what failed or waits of mine, and drafts that I saved last', async () => {
    const waiting = await addRun({ status: 'waiting', at: ago(2 * MINUTE_MS), by: here.approver });
    const runs = await as(here.approver, (db, member) => readMyRuns(db, member, ago(DAY_MS * 7), 10));
    expect(runs.map(({ id }) => id)).toContain(waiting);
    expect(runs.filter(({ status }) => status === 'failed').map(({ error }) => error?.key)).toContain('expressionFailed');
    await test.arrange(here.id, async (client) => {
      await client.query(
        'insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) values ($1, $2, 1, $3, $4)',
        [here.id, workflow.artifactId, '{}', here.builder.id],
      );
      await client.query('update quorate.artifacts set draft_revision = 1 where id = $1', [workflow.artifactId]);
    });
    expect(await as(here.builder, (db, member) => readMyDrafts(db, member, 5))).toMatchObject([
      { id: workflow.artifactId, published: false },
    ]);
    expect(await as(here.admin, (db, member) => readMyDrafts(db, member, 5))).toEqual([]);
  });

  it('begins with the newest of what I may see', async () => {
    const newest = await addRun({ status: 'completed', at: NOW, by: here.admin });
    expect((await as(here.admin, (db, member) => readNewest(db, member, 3)))[0]?.id).toBe(newest);
    const own = await as(here.builder, (db, member) => readNewest(db, { ...member, roles: ['user'] }, 50));
    expect(own.map(({ id }) => id)).not.toContain(newest);
    expect(own.length).toBeGreaterThan(0);
  });
});

describe('a visit', () => {
  const visitAt = (at: Date) =>
    performAsPerson(
      noteVisit,
      { userId: here.approver.id, write: (work) => as(here.approver, work) },
      { newId, now: () => at },
      { workspace: here.id },
    );
  const deskAt = (at: Date) => as(here.approver, (db, member) => readDesk(db, member, at, VISIT_ENDS_MINUTES * MINUTE_MS));

  it('counts from the end of the one before, which half an hour of absence ends', async () => {
    expect(await deskAt(NOW)).toMatchObject({ since: null, unnoted: true });
    await visitAt(NOW);
    const soon = new Date(NOW.getTime() + 4 * MINUTE_MS);
    expect(await deskAt(soon)).toMatchObject({ since: null, unnoted: false });
    const later = new Date(NOW.getTime() + 20 * MINUTE_MS);
    expect(await deskAt(later)).toMatchObject({ since: null, unnoted: true });
    await visitAt(later);
    const next = new Date(later.getTime() + (VISIT_ENDS_MINUTES + 1) * MINUTE_MS);
    expect(await deskAt(next)).toMatchObject({ since: later, unnoted: true });
    await visitAt(next);
    expect(await deskAt(new Date(next.getTime() + MINUTE_MS))).toMatchObject({ since: later, unnoted: false });
  });

  it('tells runs, and to readers of the log what others did', async () => {
    const since = ago(MINUTE_MS / 2);
    await addRun({ status: 'failed', at: ago(MINUTE_MS / 4), by: here.admin });
    const told = await as(here.admin, (db, member) => readSince(db, member, since));
    expect(told).toMatchObject({ at: since.toISOString(), runs: 2, failed: 1 });
    expect((await as(here.builder, (db, member) => readSince(db, member, since))).actions).toBeNull();
    expect(await as(here.admin, (db, member) => readSince(db, member, null))).toMatchObject({ at: null, runs: 0 });
  });

  it('leaves what the member has arranged, and the arrangement the visit', async () => {
    const dashboard = { order: ['health'], hidden: ['waiting'] };
    await performAsPerson(
      keepMemberSettings,
      { userId: here.approver.id, write: (work) => as(here.approver, work) },
      { newId, now: () => NOW },
      { workspace: here.id, settings: { dashboard } },
    );
    const before = await deskAt(NOW);
    expect(before.arranged).toEqual(dashboard);
    await visitAt(new Date(NOW.getTime() + DAY_MS));
    expect((await deskAt(NOW)).arranged).toEqual(dashboard);
  });
});

describe('the mark of a workspace', () => {
  const mark = () =>
    as(here.builder, async (db) => (await sql<{ mark: string }>`select quorate.desk_mark() as mark`.execute(db)).rows[0]?.mark);

  it('is another one when a run starts, when it ends and when the log grows, and stays otherwise', async () => {
    const first = await mark();
    expect(await mark()).toBe(first);
    const run = await addRun({ status: 'processing', at: new Date() });
    const started = await mark();
    expect(started).not.toBe(first);
    await test.arrange(
      here.id,
      async (client) => void (await client.query("update quorate.runs set status = 'completed' where id = $1", [run])),
    );
    const ended = await mark();
    expect(ended).not.toBe(started);
    const elsewhere = await fixture.makeWorkspace();
    await test.arrange(elsewhere.id, async () => undefined);
    expect(await mark()).toBe(ended);
  });
});
