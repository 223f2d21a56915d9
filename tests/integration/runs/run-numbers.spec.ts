/** Runs are told apart by a number that counts in the workspace, and a subject made of the input. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { indexRunTexts } from '#app/engine/runs/texts/index-run-texts.ts';
import { loadRunList } from '#app/features/runs/list/load-run-list.server.ts';
import { NO_RUN_FILTER } from '#app/features/runs/list/run-filter.ts';
import { loadRun } from '#app/features/runs/load-run.server.ts';
import { findRows } from '#app/features/search/find-rows.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
type Workflow = Awaited<ReturnType<RunFixture['makeWorkflow']>>;
let payments: Workflow;
const FIELDS = [
  { name: 'payee', title: 'Payee', type: 'text', required: true },
  { name: 'amount', title: 'Amount', type: 'number', required: true },
];
const STEPS = [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }];

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  payments = await fixture.makeWorkflow(workspace, { input: FIELDS, subject: '{{ input.payee }} · {{ input.amount }} EUR', steps: STEPS });
});
afterAll(async () => {
  await fixture?.close();
  await test?.close();
});

const storedOf = async (runs: readonly string[]) => {
  const { rows } = await test.owner.query<{ number: number; subject: Json }>(
    'select number, subject from quorate.runs where id = any ($1) order by array_position($1, id)',
    [runs],
  );
  return rows;
};
const insert = (client: { query(text: string, values: unknown[]): Promise<unknown> }, where: Workspace, workflow: Workflow, id: string) =>
  client.query(
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'completed')`,
    [id, where.id, workflow.artifactId, workflow.versionId, where.builder.id],
  );
const as = <T>(member: TestMember, work: (db: Db) => Promise<T>) =>
  test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work, { readOnly: true });
const listed = async (q: string) =>
  (await as(workspace.builder, (db) => loadRunList(db, { filter: { ...NO_RUN_FILTER, q }, after: null, own: null }))).rows.map(
    ({ id }) => id,
  );
const index = () =>
  expect
    .poll(async () => {
      while (await indexRunTexts(test.database.app));
      const { rows } = await test.owner.query(
        'select exists (select from quorate.audit_events e where e.xid > (select m.read_to from quorate.run_text_mark m)) as more',
      );
      return rows[0].more;
    })
    .toBe(false);

describe('a number', () => {
  it('is each workspace’s own, begins at 1 and rises, also among starts at the same moment', async () => {
    const [here, there] = [await fixture.makeWorkspace(), await fixture.makeWorkspace()];
    const [ours, theirs] = [await fixture.makeWorkflow(here, { steps: STEPS }), await fixture.makeWorkflow(there, { steps: STEPS })];
    const started = await Promise.all(Array.from({ length: 8 }, () => fixture.start(here, ours)));
    const numbers = (await storedOf(started)).map(({ number }) => number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await storedOf([await fixture.start(there, theirs)])).toEqual([{ number: 1, subject: null }]);
    expect(await storedOf([await fixture.start(here, ours)])).toEqual([{ number: 9, subject: null }]);
  });

  it('holds up no other start of the workspace until it commits', async () => {
    const after = await fixture.start(workspace, payments, { payee: 'First', amount: 1 });
    const [slow, quick] = [newId(), newId()];
    await test.arrange(workspace.id, async (client) => {
      await insert(client, workspace, payments, slow);
      await fixture.start(workspace, payments, { payee: 'Second', amount: 1 }, quick);
    });
    const { rows } = await test.owner.query('select id from quorate.runs where request_key = $1', [quick]);
    const [first, second, third] = await storedOf([after, slow, rows[0].id]);
    expect([second?.number, third?.number]).toEqual([Number(first?.number) + 1, Number(first?.number) + 2]);
  });

  it('goes on behind the highest in a database that was copied without its counters, and leaves none behind', async () => {
    const where = await fixture.makeWorkspace();
    const workflow = await fixture.makeWorkflow(where, { steps: STEPS });
    await fixture.start(where, workflow);
    const name = `quorate_numbers.run_numbers_${where.id.replaceAll('-', '')}`;
    await test.owner.query(`drop sequence ${name}`);
    expect(await storedOf([await fixture.start(where, workflow)])).toEqual([{ number: 2, subject: null }]);
    await test.arrange(where.id, async (client) => {
      await client.query('delete from quorate.runs where workspace_id = $1', [where.id]);
      await client.query('update quorate.artifacts set published_version_id = null where workspace_id = $1', [where.id]);
      await client.query('delete from quorate.artifacts where workspace_id = $1', [where.id]);
      await client.query('delete from quorate.workspaces where id = $1', [where.id]);
    });
    expect((await test.owner.query('select to_regclass($1) as left', [name])).rows).toEqual([{ left: null }]);
  });
});

describe('a subject', () => {
  it('stands with the run; one that fails holds no run back, and its page says why', async () => {
    await fixture.startWorker(() => Promise.reject(new Error('no peer is called')));
    const id = await fixture.start(workspace, payments, { payee: 'Jon Smith', amount: 9900 });
    expect((await storedOf([id]))[0]?.subject).toEqual(['Jon Smith · ', 9900, ' EUR']);
    const failing = await fixture.makeWorkflow(workspace, { input: FIELDS, subject: '{{ $error("no") }}', steps: STEPS });
    const bad = await fixture.start(workspace, failing, { payee: 'X', amount: 1 });
    await fixture.until(bad, ['completed']);
    const page = await as(workspace.builder, (db) => loadRun(db, bad));
    expect(page).toMatchObject({ subject: null, noSubject: { key: 'expressionFailed' } });
    expect(await as(workspace.builder, (db) => loadRun(db, id))).toMatchObject({
      subject: ['Jon Smith · ', 9900, ' EUR'],
      noSubject: null,
    });
  });

  it('is made for a run that a step starts', async () => {
    const calling = await fixture.makeWorkflow(workspace, {
      steps: [
        { id: 'call', name: 'Call', kind: 'sub_workflow', workflow: payments.artifactId, input: { payee: 'Called Payee', amount: '12' } },
      ],
    });
    const caller = await fixture.start(workspace, calling);
    await fixture.until(caller, ['completed']);
    const { rows } = await test.owner.query('select number, subject from quorate.runs where caller_run_id = $1', [caller]);
    expect(rows).toEqual([{ number: expect.any(Number), subject: ['Called Payee · ', 12, ' EUR'] }]);
  });

  it('is found, as are amounts in several ways of writing and a number exactly', async () => {
    const id = await fixture.start(workspace, payments, { payee: 'Ada Vantage', amount: 1234567.5 });
    await fixture.until(id, ['completed']);
    await index();
    for (const words of ['ada vantage', 'Ada Vantage · 1,234,567.5 EUR', '1.234.567,5 EUR', '1 234 567,5', '1234567.5'])
      expect(await listed(words)).toEqual([id]);
    const number = (await storedOf([id]))[0]?.number ?? 0;
    expect(await listed(`#${number}`)).toEqual([id]);
    expect((await listed(String(number)))[0]).toBe(id);
    expect(await listed('#99999')).toEqual([]);
    const found = await as(workspace.builder, (db) => findRows(db, `#${number}`));
    expect(found[0]).toMatchObject({ kind: 'run', id });
    expect(await as(workspace.builder, (db) => findRows(db, String(number)))).toContainEqual(expect.objectContaining({ kind: 'run', id }));
    const elsewhere = await fixture.makeWorkspace();
    const { id: userId, sessionId } = elsewhere.builder;
    const theirs = (q: string) =>
      test.database.asMember({ userId, sessionId, workspaceId: elsewhere.id }, (db) => findRows(db, q), { readOnly: true });
    expect((await theirs(`#${number}`)).filter(({ kind }) => kind === 'run')).toEqual([]);
  });

  it('leaves with a person who is erased: of the runs that they started, and their name in others', async () => {
    const person = await test.makeUser({ email: 'zora.quell@example.com', name: 'Zora "Q" Quell' });
    const sessionId = await test.makeSession(person.id);
    const own = newId();
    await test.arrange(workspace.id, async (client) => {
      await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', $3, $4)`, [
        workspace.id,
        person.id,
        person.name,
        person.email,
      ]);
      await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, subject) values ($1, $2, $3, $4, 'live', $5, 'completed', '["Typed by hand"]')`,
        [own, workspace.id, payments.artifactId, payments.versionId, person.id],
      );
    });
    const other = await fixture.start(workspace, payments, { payee: 'For Zora "Q" Quell, now', amount: 7 });
    await fixture.until(other, ['completed']);
    await test.owner.query('update quorate.audit_events set leaf_index = 2000000 + xid::text::bigint % 1000000 where leaf_index is null');
    await test.owner.query('select quorate.delete_account($1, $2)', [person.id, sessionId]);
    expect((await storedOf([own, other])).map(({ subject }) => subject)).toEqual([null, ['For , now · ', 7, ' EUR']]);
    expect(plainSubject((await as(workspace.builder, (db) => loadRun(db, other))).subject)).toBe('For , now · 7 EUR');
  });

  it('is none where a member writes what no start would', async () => {
    const refused = test.arrange(workspace.id, (client) =>
      client
        .query(
          `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, subject) values ($1, $2, $3, $4, 'live', $5, $6)`,
          [newId(), workspace.id, payments.artifactId, payments.versionId, workspace.builder.id, JSON.stringify(['x'.repeat(2_000)])],
        )
        .then(() => undefined),
    );
    await expect(refused).rejects.toThrow('runs_subject_is_short');
  });
});
