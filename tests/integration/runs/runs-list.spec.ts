/** The list of runs by its filters, against the same filters over all rows in memory; and its file. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import { indexRunTexts } from '#app/engine/runs/texts/index-run-texts.ts';
import { countRuns, loadRunCauses, loadRunList } from '#app/features/runs/list/load-run-list.server.ts';
import { readRunFilter } from '#app/features/runs/list/read-run-filter.ts';
import { NO_RUN_FILTER, type RunFilter } from '#app/features/runs/list/run-filter.ts';
import { findRows } from '#app/features/search/find-rows.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let workflow: { artifactId: string; versionId: string };
const START = Date.parse('2026-10-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const RUNS = 120;

type Made = { id: string; status: string; trigger: string; error: string | null; cost: number | null; seconds: number; at: number };
const made: Made[] = Array.from({ length: RUNS }, (_, n) => ({
  id: newId(),
  status: n % 3 === 0 ? 'failed' : 'completed',
  trigger: n % 5 === 0 ? 'webhook' : 'manual',
  error: n % 3 !== 0 ? null : n % 4 === 0 ? 'peerTimeout' : 'policyFailed',
  cost: n % 4 === 0 ? null : n * 1_000,
  seconds: n,
  at: START + n * HOUR_MS,
}));
const newestFirst = made.toReversed();

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  workflow = await fixture.makeWorkflow(workspace, {});
  await test.arrange(workspace.id, async (client) => {
    for (const run of made)
      await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, status, error, cost_micros,
           created_at, started_at, finished_at, waiting_ms)
         values ($1, $2, $3, $4, 'live', $5, $6, $7, $8, $9, $10, $10, $10::timestamptz + $11 * interval '1 second' + interval '1 hour', 3600000)`,
        [
          run.id,
          workspace.id,
          workflow.artifactId,
          workflow.versionId,
          run.trigger,
          workspace.builder.id,
          run.status,
          run.error === null ? null : JSON.stringify({ key: run.error, values: {} }),
          run.cost,
          new Date(run.at),
          run.seconds,
        ],
      );
  });
});
afterAll(async () => {
  await fixture.close();
  await test.close();
});

const reading = <T>(work: (db: Db) => Promise<T>) => {
  const { id: userId, sessionId } = workspace.builder;
  return test.database.asMember({ userId, sessionId, workspaceId: workspace.id }, work, { readOnly: true });
};
const ask = (filter: Partial<RunFilter>, more: { after?: string | null; own?: string | null; limit?: number; searched?: number } = {}) =>
  reading((db) => loadRunList(db, { filter: { ...NO_RUN_FILTER, ...filter }, after: null, own: null, ...more }));

describe('the list of runs', () => {
  const day = (n: number) => new Date(START + n * 24 * HOUR_MS).toISOString().slice(0, 10);
  it.each<[string, Partial<RunFilter>, (run: Made) => boolean]>([
    ['by cause', { error: 'peerTimeout' }, (run) => run.error === 'peerTimeout'],
    ['by cost', { cost: '100000' }, (run) => (run.cost ?? 0) >= 100_000],
    ['by time without waiting', { seconds: '60' }, (run) => run.seconds >= 60],
    ['by what started it', { trigger: 'webhook' }, (run) => run.trigger === 'webhook'],
    ['by days, both included', { from: day(1), until: day(2) }, (run) => run.at >= START + 24 * HOUR_MS && run.at < START + 72 * HOUR_MS],
    [
      'by all at once',
      { trigger: 'webhook', status: 'failed', seconds: '10' },
      (run) => run.trigger === 'webhook' && run.status === 'failed' && run.seconds >= 10,
    ],
    ['by a cause that never was', { error: 'neverWas' }, () => false],
  ])('%s', async (_name, filter, isMeant) => {
    const { rows } = await ask(filter, { limit: RUNS });
    expect(rows.map(({ id }) => id)).toEqual(newestFirst.filter(isMeant).map(({ id }) => id));
  });

  it('comes page by page without a gap, also where a search stops halfway', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 30; page += 1) {
      const found: Awaited<ReturnType<typeof loadRunList>> = await ask({ trigger: 'webhook' }, { after, limit: 4, searched: 25 });
      seen.push(...found.rows.map(({ id }) => id));
      after = found.next ?? found.searchedTo;
      if (after === null) break;
    }
    expect(seen).toEqual(newestFirst.filter(({ trigger }) => trigger === 'webhook').map(({ id }) => id));
  });

  it('counts causes, the most frequent first', async () => {
    const causes = await reading((db) => loadRunCauses(db, workspace.id));
    expect(causes.map(({ key, runs }) => [key, runs])).toEqual(
      ['policyFailed', 'peerTimeout'].map((key) => [key, made.filter(({ error }) => error === key).length]),
    );
  });

  describe('counts what each value would leave', () => {
    const statuses = async (filter: Partial<RunFilter>, most: number) => {
      const { bounded, facets } = await reading((db) => countRuns(db, { ...NO_RUN_FILTER, ...filter }, null, most));
      const counts = facets.find(({ name }) => name === 'status')?.counts;
      return { bounded, counts: counts === undefined ? null : Object.fromEntries(counts.map(({ value, count }) => [value, count])) };
    };
    const countOf = (status: string, isMeant: (run: Made) => boolean) => made.filter((run) => run.status === status && isMeant(run)).length;

    it('by a rare filter, where every run is looked at', async () => {
      const isDear = (run: Made) => (run.cost ?? 0) >= 100_000;
      const exact = { bounded: false, counts: { failed: countOf('failed', isDear), completed: countOf('completed', isDear) } };
      expect(await statuses({ cost: '100000' }, RUNS)).toEqual(exact);
      const ofOneDay = (run: Made) => run.at < START + 24 * HOUR_MS && (run.cost ?? 0) >= 10_000;
      const exactOfOneDay = { bounded: false, counts: { failed: countOf('failed', ofOneDay), completed: countOf('completed', ofOneDay) } };
      expect(await statuses({ cost: '10000', until: day(0) }, 24)).toEqual(exactOfOneDay);
    });

    it.each<Partial<RunFilter>>([{ cost: '100000' }, { seconds: '10' }, { error: 'peerTimeout' }, { version: '1' }])(
      'not at all by %j where there are more runs than are looked at',
      async (filter) => {
        expect(await statuses(filter, 20)).toEqual({ bounded: false, counts: null });
      },
    );

    it.each<Partial<RunFilter>>([{}, { status: 'failed' }, { trigger: 'webhook' }])('as the least number by %j', async (filter) => {
      expect(await statuses(filter, 20)).toMatchObject({ bounded: true });
    });
  });

  it.each(['status=odd', 'workflow=1', 'from=2026-02-30', 'from=2026-03-02&until=2026-03-01', 'seconds=11', 'version=x', "error=a'b"])(
    'refuses %s and keeps what was typed',
    (query) => {
      const { filter, valid } = readRunFilter(new URLSearchParams(query));
      expect(valid).toBe(false);
      for (const [name, value] of new URLSearchParams(query)) expect(filter[name as keyof RunFilter]).toBe(value);
    },
  );
});

describe('search in content', () => {
  let paying: Awaited<ReturnType<RunFixture['makeWorkflow']>>;
  let plain: TestMember;

  /** Reads the log to its end: events are read once every transaction that began before them is over, of other tests' databases too. */
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
  const as = <T>(member: TestMember, work: (db: Db) => Promise<T>) =>
    test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work, { readOnly: true });
  const find = async (
    q: string,
    member: TestMember = workspace.builder,
    more: { own?: string; after?: string | null; limit?: number } = {},
  ) => as(member, (db) => loadRunList(db, { filter: { ...NO_RUN_FILTER, q }, after: null, own: null, ...more }));
  const idsOf = async (...asked: Parameters<typeof find>) => (await find(...asked)).rows.map(({ id }) => id);
  const finished = async (input: { [name: string]: string }) => {
    const id = await fixture.start(workspace, paying, input);
    await fixture.until(id, ['completed']);
    return id;
  };
  /** Texts as they would come of runs of these ids. */
  const write = (texts: readonly (readonly [string, string])[]) =>
    test.owner.query(
      `insert into quorate.run_texts (run_id, workspace_id, initiator_id, text)
         select r.id, r.workspace_id, r.initiator_id, t.text from unnest($1::uuid[], $2::text[]) t (id, text) join quorate.runs r on r.id = t.id`,
      [texts.map(([id]) => id), texts.map(([, text]) => text)],
    );

  beforeAll(async () => {
    paying = await fixture.makeWorkflow(workspace, {
      input: [
        { name: 'payee', title: 'Payee', type: 'text', required: true },
        { name: 'ticket', title: 'Ticket', type: 'text', required: false },
      ],
      steps: [
        { id: 'greet', name: 'Greet', kind: 'transform', expression: '{"letter": "Dear " & input.payee, "sum": 4711.5, "kept": true}' },
      ],
      output: '{"done": steps.greet.letter & ", goodbye"}',
    });
    await fixture.startWorker(() => Promise.reject(new Error('no peer is called')));
    const user = await test.makeUser();
    plain = { ...user, roles: ['user'], sessionId: await test.makeSession(user.id) };
    await test.arrange(workspace.id, (client) =>
      client
        .query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', 'Plain', $3)`, [
          workspace.id,
          user.id,
          user.email,
        ])
        .then(() => undefined),
    );
  });

  it('finds a run by its input, a step or its output, with the words around them, and by no name of a field', async () => {
    const id = await finished({ payee: 'Müller & Söhne 100%', ticket: 'INC-0042_7' });
    await index();
    for (const words of ['inc-0042_7', 'MÜLLER', '4711.5', 'dear müller', 'söhne 100%, GOODBYE', '00%'])
      expect(await idsOf(words)).toEqual([id]);
    for (const words of ['payee', 'letter', 'INC-0042x7', '0042%7', 'Sohne']) expect(await idsOf(words)).toEqual([]);
    expect((await find('inc-0042')).rows[0]?.excerpt).toContain('INC-0042_7');
    expect(await as(workspace.builder, (db) => findRows(db, 'INC-0042'))).toMatchObject([
      { kind: 'run', id, detail: expect.stringContaining('INC-0042') },
    ]);
  });

  it('finds a run under way by its input, and once it has ended by all', async () => {
    const asking = await fixture.makeWorkflow(workspace, {
      input: [{ name: 'case', title: 'Case', type: 'text', required: true }],
      steps: [
        { id: 'ask', name: 'Ask', kind: 'approval', question: '"Go on?"', role: 'approver' },
        { id: 'note', name: 'Note', kind: 'transform', expression: '"Settled " & input.case' },
      ],
      output: 'steps.note',
    });
    const id = await fixture.start(workspace, asking, { case: 'Kestrel' });
    await fixture.until(id, ['waiting']);
    await index();
    expect(await idsOf('kestrel')).toEqual([id]);
    await fixture.approve(workspace, id);
    await fixture.until(id, ['completed']);
    expect(await idsOf('settled kestrel')).toEqual([]);
    await index();
    expect(await idsOf('settled kestrel')).toEqual([id]);
  });

  it('shows nobody what is not theirs', async () => {
    const id = await finished({ payee: 'Quincunx' });
    await index();
    expect(await idsOf('quincunx')).toEqual([id]);
    expect(await idsOf('quincunx', plain, { own: plain.id })).toEqual([]);
    expect(await idsOf('quincunx', plain)).toEqual([]);
    expect(await idsOf('qu', plain)).toEqual([]);
    expect(await as(plain, (db) => findRows(db, 'quincunx'))).toEqual([]);
    const elsewhere = await fixture.makeWorkspace();
    const { id: userId, sessionId } = elsewhere.builder;
    const theirs = test.database.asMember({ userId, sessionId, workspaceId: elsewhere.id }, (db) => findRows(db, 'quincunx'), {
      readOnly: true,
    });
    expect(await theirs).toEqual([]);
  });

  it('takes 20,000 characters of a run, and not more than 4,000 of one text', async () => {
    const id = await finished({ payee: `${'a'.repeat(3_990)}INSIDE OUTSIDE`, ticket: 'behind it' });
    await index();
    expect(await idsOf('ainside')).toEqual([id]);
    expect(await idsOf('outside')).toEqual([]);
    expect(await idsOf('behind it')).toEqual([id]);
  });

  it('comes page by page also where many runs hold the words, or they are short', async () => {
    await write(made.map(({ id }, n) => [id, n % 4 === 0 ? 'ß7 yes' : 'no'] as const));
    const meant = newestFirst.filter((run) => made.indexOf(run) % 4 === 0).map(({ id }) => id);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof find>> = await find('ß7', workspace.builder, { after, limit: 7 });
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next ?? page.searchedTo;
    } while (after !== null);
    expect(seen).toEqual(meant);
    expect(await idsOf('yes', workspace.builder, { limit: RUNS })).toEqual(meant);
    await test.owner.query('delete from quorate.run_texts where run_id = any ($1)', [made.map(({ id }) => id)]);
  });

  it('finds what is written at once, whichever process reads on', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => finished({ payee: `Parallel ${n}` })));
    await Promise.all(Array.from({ length: 4 }, () => indexRunTexts(test.database.app)));
    await index();
    expect(new Set(await idsOf('dear parallel'))).toEqual(new Set(ids));
  });

  it('keeps nothing of a run that is deleted, nor of a person who is erased', async () => {
    const gone = await finished({ payee: 'Vanishing' });
    const other = await finished({ payee: 'Ask quillon.person@example.com, QUILLON PERSON', ticket: 'stays' });
    await index();
    await test.arrange(workspace.id, (client) => client.query('delete from quorate.runs where id = $1', [gone]).then(() => undefined));
    expect((await test.owner.query('select from quorate.run_texts where run_id = $1', [gone])).rowCount).toBe(0);

    const person = await test.makeUser({ email: 'quillon.person@example.com', name: 'Quillon Person' });
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
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, input) values ($1, $2, $3, $4, 'live', $5, 'completed', '{"payee": "Typed by hand"}')`,
        [own, workspace.id, workflow.artifactId, workflow.versionId, person.id],
      );
    });
    await write([[own, 'Typed by hand']]);
    expect(await idsOf('typed by hand')).toEqual([own]);
    expect(await idsOf('quillon person')).toEqual([other]);
    await test.owner.query('update quorate.audit_events set leaf_index = 1000000 + xid::text::bigint % 1000000 where leaf_index is null');
    await test.owner.query('select quorate.delete_account($1, $2)', [person.id, sessionId]);
    for (const words of ['typed by hand', 'quillon', 'quillon.person@example.com']) expect(await idsOf(words)).toEqual([]);
    expect(await idsOf('stays')).toEqual([other]);
  });
});
