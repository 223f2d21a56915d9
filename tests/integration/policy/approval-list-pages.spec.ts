/** The list of approvals is walked by key through its three parts, whose orders run in different directions. */
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberContext } from '#app/contracts/request-context.ts';
import type { ApprovalStatus } from '#app/contracts/statuses.ts';
import { INBOX_PAGE_SIZE, loadApprovalList } from '#app/features/approvals/desk/load-approval-list.server.ts';
import { languageMiddleware } from '#app/platform/i18n/i18n.server.ts';
import { walkList } from '#tests/integration/lists/walk-list.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

type Made = { id: string; status: ApprovalStatus; mine: boolean; due: number; created: number };
const CLOSED = ['approved', 'consumed', 'rejected', 'expired'] as const;
const START = Date.UTC(2026, 9, 1);
const HOUR_MS = 3_600_000;
let test: TestDatabase;
let here: PopulatedWorkspace;
let context: RouterContextProvider;

/** More than a page in each part. Many are due at one time, and of these some were asked for at one time, so that only ids tell them apart. */
const made: Made[] = Array.from({ length: INBOX_PAGE_SIZE * 7 + 13 }, (_, n) => ({
  id: newId(),
  status: n % 7 < 3 ? 'pending' : n % 7 < 5 ? 'rejected' : (CLOSED[n % 4] ?? 'expired'),
  mine: n % 7 === 1,
  due: START + (n % 5) * HOUR_MS,
  created: START - (n % 3) * HOUR_MS,
}));

const byIdDown = (a: Made, b: Made) => (a.id < b.id ? 1 : -1);
const newestFirst = (a: Made, b: Made) => b.created - a.created || byIdDown(a, b);
const dueFirst = (a: Made, b: Made) => a.due - b.due || newestFirst(a, b);
const open = made.filter(({ status }) => status === 'pending');
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const EXPECTED: Record<string, Made[]> = {
  pending: [...open.filter(({ mine }) => mine).sort(dueFirst), ...open.filter(({ mine }) => !mine).sort(dueFirst)],
  closed: made.filter(({ status }) => status !== 'pending').sort(newestFirst),
  rejected: made.filter(({ status }) => status === 'rejected').sort(newestFirst),
};
EXPECTED.all = [...(EXPECTED.pending ?? []), ...(EXPECTED.closed ?? [])];

beforeAll(async () => {
  test = await createTestDatabase();
  here = await populateWorkspace(test);
  const { approver, builder, user } = here.members;
  await test.arrange(here.id, async (client) => {
    await client.query('delete from quorate.approvals');
    for (const [n, { id, status, mine, due, created }] of made.entries())
      await client.query(
        `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by,
           version_author_id, due_at, created_at, status, assigned_to)
         values ($1, $2, $3, $4, 'Pay', '{}', 'd', '{}', 'low', $5, $6, $7, $8, $9, $10)`,
        [
          id,
          here.id,
          here.subject.runId,
          `s${n}`,
          user.id,
          builder.id,
          new Date(due),
          new Date(created),
          status,
          mine ? approver.id : null,
        ],
      );
  });
  const who = { userId: approver.id, sessionId: approver.sessionId, workspaceId: here.id };
  context = new RouterContextProvider();
  const request = new Request('http://x/');
  for (const middleware of languageMiddleware)
    await middleware({ request, url: new URL(request.url), context, params: {}, pattern: '/' }, async () => new Response());
  context.set(memberContext, {
    member: {
      ...who,
      email: approver.email,
      name: approver.name,
      roles: approver.roles,
      workspace: { id: here.id, name: 'Here', slug: 'here', haltedAt: null, isDemo: false },
    },
    read: (work) => test.database.asMember(who, work, { readOnly: true }),
    change: () => Promise.reject(new Error('nothing is changed here')),
  });
});
afterAll(() => test.close());

const load = (params: URLSearchParams) => loadApprovalList({ url: new URL(`http://x/dashboard/approvals?${params}`), context });

describe('the list of approvals', () => {
  it('has more than a page of each part', () => {
    const [mine, others] = [true, false].map((own) => open.filter(({ mine: one }) => one === own).length);
    for (const length of [mine, others, EXPECTED.rejected?.length]) expect(length).toBeGreaterThan(INBOX_PAGE_SIZE);
  });

  it.each(['pending', 'all', 'rejected'])('is walked for %s without a gap, without a row twice and in order', async (status) => {
    const rows = await walkList(load, { status });
    expect(ids(rows)).toEqual(ids(EXPECTED[status] ?? expect.fail(status)));
    const own = EXPECTED[status]?.filter((row) => row.mine && row.status === 'pending') ?? [];
    expect(ids(rows.filter(({ holder }) => holder?.isMe))).toEqual(ids(own));
  });

  it('goes on behind a row that was closed meanwhile', async () => {
    const first = await load(new URLSearchParams({ status: 'pending' }));
    const last = first.rows.at(-1) ?? expect.fail('a page');
    const state = 'update quorate.approvals set status = $2 where id = $1';
    await test.arrange(here.id, (client) => client.query(state, [last.id, 'withdrawn']).then(() => undefined));
    const second = await load(new URLSearchParams({ status: 'pending', after: first.next ?? '' }));
    expect(ids(second.rows)).toEqual(ids((EXPECTED.pending ?? []).slice(INBOX_PAGE_SIZE, 2 * INBOX_PAGE_SIZE)));
    await test.arrange(here.id, (client) => client.query(state, [last.id, 'pending']).then(() => undefined));
  });

  it.each([
    ['pending', 'closed'],
    ['rejected', 'open'],
    ['rejected', 'mine'],
  ])('for %s takes a place in the part %s, which it does not have, for none', async (status, part) => {
    const { id } = made.find((row) => (part === 'closed') === (row.status !== 'pending')) ?? expect.fail(part);
    const page = await load(new URLSearchParams({ status, after: `${part}.${id}` }));
    expect(page.after).toBeNull();
    expect(ids(page.rows)).toEqual(ids((EXPECTED[status] ?? []).slice(0, INBOX_PAGE_SIZE)));
  });
});
