/** The approver's desk is searched by words, run numbers and amounts, and its saved views are one's own or shared. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listSavedViews } from '#app/components/saved-views/saved-views.server.ts';
import type { Json } from '#app/contracts/json.ts';
import { type ApprovalFilter, fitsFilter, NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { performAsPerson } from '#app/engine/commands/perform.ts';
import { saveView } from '#app/engine/commands/personal/save-view.ts';
import { readApprovalFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
let elsewhere: PopulatedWorkspace;
const made: Record<string, { id: string; number: number }> = {};

beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
  elsewhere = await populateWorkspace(db);
  const call = (input: { [name: string]: Json }) => ({ capability: { name: 'transfer' }, input });
  await ask(here, 'payment', 'Pay', call({ payee: 'Jon Smith', amount: 9900, currency: 'EUR' }));
  await ask(here, 'money', 'Pay', call({ payee: '100% Harbour_Ltd', sum: { amount: 1250.5, currency: 'USD' } }));
  await ask(here, 'question', 'Release', {
    capability: null,
    input: {
      question: 'May the letter go out?',
      show: { To: 'Mira Lund' },
      sentence: ['Send ', { amount: 75, currency: 'EUR' }, ' to Mira'],
    },
  });
  await ask(elsewhere, 'foreign', 'Pay', call({ payee: 'Jon Smith', amount: 9900 }));
});
afterAll(() => db.close());

async function ask(at: PopulatedWorkspace, name: string, title: string, subject: Json): Promise<void> {
  const [run, approval] = [newId(), newId()];
  await db.arrange(at.id, async (client) => {
    const { rows } = await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'waiting') returning number`,
      [run, at.id, at.subject.artifactId, at.subject.versionId, at.members.builder.id],
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
       values ($1, $2, $3, 'a', $4, $5, 'd', '{}', 'low', $6, $6, now() + interval '1 day')`,
      [approval, at.id, run, title, JSON.stringify(subject), at.members.builder.id],
    );
    made[name] = { id: approval, number: rows[0].number };
  });
}

/** Names of the approvals that a member finds. */
async function find(filter: Partial<ApprovalFilter>, member: TestMember = here.members.approver): Promise<string[]> {
  const rows = await db.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: here.id }, (tx) =>
    tx
      .selectFrom('quorate.approvals as a')
      .select('a.id')
      .where(fitsFilter({ ...NO_FILTER, ...filter }, member.id))
      .execute(),
  );
  return Object.keys(made)
    .filter((name) => rows.some(({ id }) => id === made[name]?.id))
    .sort();
}

it.each([
  ['jon smith', ['payment']],
  ['9,900', ['payment']],
  ['9.900', ['payment']],
  // As a screen shows an amount of money.
  ['€9,900.00', ['payment']],
  ['1.250,50 €', ['money']],
  ['1250.5', ['money']],
  ['100% h', ['money']],
  ['harbour_ltd', ['money']],
  ['harbourXltd', []],
  ['the letter', ['question']],
  ['75 EUR to Mira', ['question']],
  ['transfer', ['money', 'payment']],
  ['nobody wrote this', []],
])('the words %s find %j', async (q, names) => {
  expect(await find({ q })).toEqual(names);
});

it('a run is found by its number, alone where the number is marked', async () => {
  const number = made.question?.number ?? 0;
  expect(await find({ q: `#${number}` })).toEqual(['question']);
  expect(await find({ q: String(number) })).toContain('question');
});

it('amounts are found between two, whichever field holds them', async () => {
  expect(await find({ min: 1000 })).toEqual(['money', 'payment']);
  expect(await find({ min: 1000, max: 2000 })).toEqual(['money']);
  expect(await find({ max: 100 })).toEqual([]);
  expect(await find({ min: 9900, max: 9900, q: 'smith' })).toEqual(['payment']);
});

it('nobody finds what they may not see', async () => {
  expect(await find({ q: 'jon smith' }, here.members.user)).toEqual([]);
});

it('an address that says nonsense filters by nothing', () => {
  expect(readApprovalFilter(new URLSearchParams('min=many&max=&risk=none&due=never&workflow=x&q=  '))).toEqual(NO_FILTER);
  expect(readApprovalFilter(new URLSearchParams('min=1250,5&q=a%00b'))).toMatchObject({ min: 1250.5, q: 'ab' });
});

it('a saved view is its own, or everyone’s in the workspace where it is shared', async () => {
  const { approver, auditor } = here.members;
  const keep = (member: TestMember, name: string, shared: boolean) => {
    const who = { userId: member.id, sessionId: member.sessionId, workspaceId: here.id };
    const person = {
      userId: member.id,
      write: <T>(work: Parameters<typeof db.database.asMember<T>>[1]) => db.database.asMember(who, work),
    };
    const view = { workspace: here.id, area: 'approvals', name, query: 'risk=high', shared };
    return performAsPerson(saveView, person, { newId: () => newId(), now: () => new Date() }, view);
  };
  await keep(approver, 'Mine', false);
  await keep(approver, 'Ours', true);
  const views = (member: TestMember, workspaceId = here.id) =>
    db.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId }, async (tx) => {
      const area = { area: 'approvals', addressOf: (query: string) => `/dashboard/approvals?${query}` };
      const found = await listSavedViews(tx, area, { workspaceId, userId: member.id });
      return found.map(({ name, own, shared }) => `${name} ${own ? 'own' : 'foreign'} ${shared ? 'shared' : 'private'}`);
    });
  expect(await views(approver)).toEqual(['Mine own private', 'Ours own shared']);
  expect(await views(auditor)).toEqual(['Ours foreign shared']);
  expect(await views(elsewhere.members.admin, elsewhere.id)).toEqual([]);
});
