/** The list of workflows by its filters, its orders and its pages, against the same over all rows in memory. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import { loadWorkflowList, type WorkflowRow } from '#app/features/workflows/list/load-workflow-list.server.ts';
import { isRising, walkList } from '#tests/integration/lists/walk-list.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

let test: TestDatabase;
let workspace: TestWorkspace;
let builder: TestMember;
let other: TestMember;
let stranger: { workspace: TestWorkspace; member: TestMember };

/** Names in two kinds only, so that many rows are equal in an order and only their ids tell them apart. */
const made = Array.from({ length: 23 }, (_, n) => ({
  id: newId(),
  name: `${n % 2 === 0 ? 'invoice' : 'payment'} ${n % 5}`,
  status: n % 3 === 0 ? 'active' : 'inactive',
  mine: n % 4 === 0,
  runs: n % 6,
}));

beforeAll(async () => {
  test = await createTestDatabase();
  const home = await test.makeWorkspace({ members: [{ roles: ['builder'] }, { roles: ['builder'] }] });
  workspace = home;
  [builder, other] = home.members as [TestMember, TestMember];
  const elsewhere = await test.makeWorkspace({ members: [{ roles: ['builder'] }] });
  stranger = { workspace: elsewhere, member: elsewhere.members[0] as TestMember };
  await test.arrange(workspace.id, async (client) => {
    for (const [n, { id, name, status, mine, runs }] of made.entries()) {
      await client.query(
        `insert into quorate.artifacts (id, workspace_id, kind, name, status, owner_id, updated_at) values ($1, $2, 'workflow', $3, $4, $5, $6)`,
        [id, workspace.id, name, status, mine ? builder.id : other.id, new Date(Date.UTC(2026, 9, 1 + (n % 7)))],
      );
      const version = newId();
      await client.query(
        `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)`,
        [version, workspace.id, id, builder.id],
      );
      for (let run = 0; run < runs; run += 1)
        await client.query(
          `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, status, created_at, started_at, finished_at)
           values ($1, $2, $3, $8, 'live', 'manual', $4, $5, $6, $6, $6::timestamptz + $7 * interval '1 second')`,
          [
            newId(),
            workspace.id,
            id,
            builder.id,
            run % 2 === 0 ? 'completed' : 'failed',
            new Date(Date.UTC(2026, 9, 1 + (n % 4), run)),
            1 + run / 3,
            version,
          ],
        );
    }
  });
});
afterAll(async () => {
  await test.close();
});

const reading = <T>(member: TestMember, within: TestWorkspace, work: (db: Db) => Promise<T>) =>
  test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: within.id }, work, { readOnly: true });
const ask = async (params: URLSearchParams, size: number, query = '') => {
  const asked = { workspaceId: workspace.id, userId: builder.id, params, query, extent: { size, counted: true } };
  const { rows, list } = await reading(builder, workspace, (db) => loadWorkflowList(db, asked));
  return { rows, next: list.next, counts: list.counts };
};

const ORDERS: Record<string, (row: WorkflowRow) => string | number> = {
  name: (row) => row.name,
  status: (row) => row.status,
  lastRun: (row) => row.lastRunAt ?? '',
  executions: (row) => row.executions,
  successRate: (row) => row.successRate ?? -1,
  duration: (row) => row.averageActiveMs ?? -1,
};
const FILTERS: [Record<string, string>, (row: (typeof made)[number]) => boolean][] = [
  [{}, () => true],
  [{ status: 'active' }, (row) => row.status === 'active'],
  [{ owner: 'me' }, (row) => row.mine],
  [{ status: 'inactive', owner: 'others' }, (row) => row.status === 'inactive' && !row.mine],
];

describe('the list of workflows', () => {
  const cases = FILTERS.flatMap(([filter, isMeant]) => Object.keys(ORDERS).map((order) => ({ filter, isMeant, order })));
  it.each(cases)('by $order with $filter names each row once and in order, page by page', async ({ filter, isMeant, order }) => {
    const measure = ORDERS[order] ?? expect.fail(order);
    for (const limit of [4, 50]) {
      const rows = await walkList((params) => ask(params, limit), { ...filter, sort: order });
      const ids = rows.map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set(made.filter(isMeant).map(({ id }) => id)));
      expect(ids).toHaveLength(new Set(ids).size);
      expect(isRising(rows.map(measure))).toBe(true);
      const back = await walkList((params) => ask(params, limit), { ...filter, sort: `-${order}` });
      expect(back.map(({ id }) => id)).toEqual(ids.toReversed());
    }
  });

  it('counts what each value would leave beside what is chosen of the others', async () => {
    const { counts } = await ask(new URLSearchParams({ status: 'active', owner: 'me' }), 50, 'invoice');
    const count = (isMeant: (row: (typeof made)[number]) => boolean) =>
      made.filter((row) => row.name.includes('invoice') && isMeant(row)).length;
    expect(
      Object.fromEntries(
        counts.facets.map(({ name, counts: values }) => [name, Object.fromEntries(values.map((v) => [v.value, v.count]))]),
      ),
    ).toEqual({
      status: {
        active: count((row) => row.mine && row.status === 'active'),
        inactive: count((row) => row.mine && row.status === 'inactive'),
      },
      owner: { me: count((row) => row.mine && row.status === 'active'), others: count((row) => !row.mine && row.status === 'active') },
    });
  });

  const ID = '0190b0a2-7a52-7cde-8f0a-2f1d6c9b3e11';
  it.each(['x', ID, `${ID}2026-02-30T00:00:00Z`, `${ID}\0`, `${ID}'`])('begins at the first page for the key %j', async (after) => {
    const { rows } = await ask(new URLSearchParams({ after, sort: 'lastRun' }), 50);
    expect(rows).toHaveLength(made.length);
  });

  it('neither lists nor counts what belongs to another workspace', async () => {
    const asked = { workspaceId: workspace.id, userId: stranger.member.id, params: new URLSearchParams() };
    const { rows, list } = await reading(stranger.member, stranger.workspace, (db) => loadWorkflowList(db, asked));
    expect(rows).toEqual([]);
    expect(list.counts.facets.flatMap(({ counts: values }) => values)).toEqual([]);
  });
});
