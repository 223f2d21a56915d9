/** Deputies: what is assigned to a member who is away goes to their deputy, for a time, once, and gives nobody a vote. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Refusal } from '#app/domain/refusal.ts';
import { NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import { assignApproval } from '#app/engine/commands/approvals/assign-approval.ts';
import { claimApproval } from '#app/engine/commands/approvals/claim-approval.ts';
import { endDeputy } from '#app/engine/commands/approvals/end-deputy.ts';
import { nameDeputy } from '#app/engine/commands/approvals/name-deputy.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { removeMember } from '#app/engine/commands/members/remove-member.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { type ApprovalDesk, openApprovalDesk, type Person } from '#tests/integration/support/approval-desk.ts';
import type { TestMember } from '#tests/support/test-database.ts';

const DAY = 86_400_000;
let desk: ApprovalDesk;
beforeAll(async () => {
  desk = await openApprovalDesk();
});
afterAll(() => desk.test.close());
beforeEach(async () => {
  await desk.test.owner.query('delete from quorate.deputies');
});

type Days = readonly [from: number, until: number] | null;
/** Days from now; null for a deputy without a time. Answers its id, or why not. */
async function name(by: TestMember, user: TestMember, deputy: TestMember, days: Days = [-1, 2]): Promise<string> {
  const at = (day: number) => new Date(Date.now() + day * DAY);
  const time = days === null ? { from: null, until: null } : { from: at(days[0]), until: at(days[1]) };
  const id = newId();
  try {
    await perform(nameDeputy, desk.principal(by), desk.deps, { id, user: user.id, deputy: deputy.id, reason: 'Holiday', ...time });
    return id;
  } catch (error) {
    if (error instanceof Refusal) return error.reasons.map(({ key }) => key).join();
    throw error;
  }
}
const end = (by: TestMember, id: string) => perform(endDeputy, desk.principal(by), desk.deps, { id });
const claim = async (by: TestMember) => {
  const approval = await desk.makeApproval();
  await perform(claimApproval, desk.principal(by), desk.deps, { approval, seen: null });
  return approval;
};
/** Moves all times, as if so many days had passed. */
const pass = (days: number) =>
  desk.test.owner.query(
    `update quorate.deputies set from_at = from_at - make_interval(days => $1), until_at = until_at - make_interval(days => $1)`,
    [days],
  );
const forget = () => desk.test.database.app((db) => sql`select quorate.forget_deputies()`.execute(db));
const begin = () => desk.test.database.app((db) => sql`select quorate.begin_deputies()`.execute(db));

it('has for a time what is assigned to who is away, is told, finds it first, and has it no longer afterwards', async () => {
  const { ada, ben } = desk.people;
  const approval = await claim(ada);
  const id = await name(ada, ada, ben, [1, 3]);
  expect(await desk.holderOf(approval)).toBe(ada.id);
  expect(await desk.noticesOf(ben, id)).toEqual(['notifyDeputyNamed']);
  await begin();
  expect(await desk.noticesOf(ben, id)).toEqual(['notifyDeputyNamed']);
  await pass(2);
  await Promise.all([begin(), begin()]);
  await begin();
  expect(await desk.noticesOf(ben, id)).toEqual(['notifyDeputyNamed', 'notifyDeputyBegins']);
  expect(await desk.holderOf(approval)).toBe(ben.id);
  const next = (member: TestMember) =>
    desk.as(member, (db) => findNextApproval(db, { userId: member.id, roles: member.roles }, null, { ...NO_FILTER, assigned: 'me' }));
  const count = (member: TestMember) => desk.as(member, (db) => countPendingApprovals(db, { userId: member.id, roles: member.roles }));
  expect([await next(ben), await next(ada)]).toEqual([approval, null]);
  const [bens, adas] = [await count(ben), await count(ada)];
  await pass(2);
  expect(await desk.holderOf(approval)).toBe(ada.id);
  expect([await next(ben), await next(ada)]).toEqual([null, approval]);
  expect([await count(ben), await count(ada)]).toEqual([bens - 1, adas + 1]);
});

it('is told of what is assigned in that time, and for whom', async () => {
  const { admin, ada, ben } = desk.people;
  await name(ada, ada, ben);
  const approval = await desk.makeApproval();
  await perform(assignApproval, desk.principal(admin), desk.deps, { approval, to: ada.id, seen: null });
  expect(await desk.noticesOf(ada, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned']);
  expect(await desk.noticesOf(ben, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssignedFor']);
  await desk.withdraw(approval);
  expect((await desk.noticesOf(ben, approval)).every((notice) => notice.endsWith(' read'))).toBe(true);
});

it('ends early by who is away, by the deputy or by an admin, and the others are told', async () => {
  const { ada, ben, admin, author } = desk.people;
  const approval = await claim(ada);
  for (const by of [ada, ben, admin]) {
    const id = await name(ada, ada, ben);
    expect(await desk.holderOf(approval)).toBe(ben.id);
    await expect(end(author, id)).rejects.toMatchObject({ code: 'forbidden' });
    await end(by, id);
    expect(await desk.holderOf(approval)).toBe(ada.id);
    await expect(end(by, id)).rejects.toMatchObject({ code: 'conflict' });
    for (const member of [ada, ben])
      expect((await desk.noticesOf(member, id)).includes('notifyDeputyEnded'), `${by.name} ended it: ${member.name}`).toBe(member !== by);
  }
});

it('is named by oneself, or by an admin for somebody else; each is an event about the member who is away', async () => {
  const { ada, ben, admin, plain, initiator } = desk.people;
  const before = (await desk.eventsOf(ada.id)).length;
  expect(await name(ben, ada, ben)).toBe('deputyForbidden');
  expect(await name(plain, plain, ben)).toBe('deputyUser');
  const id = await name(admin, ada, ben);
  expect(await desk.noticesOf(ada, id)).toEqual(['notifyAwayNamed']);
  await end(admin, id);
  const own = await name(ada, ada, initiator);
  expect(await desk.noticesOf(ada, own)).toEqual([]);
  expect((await desk.eventsOf(ada.id)).slice(before)).toEqual([
    { action: 'deputy.named', actor_id: admin.id, to: null },
    { action: 'deputy.ended', actor_id: admin.id, to: null },
    { action: 'deputy.named', actor_id: ada.id, to: null },
  ]);
  const { rows } = await desk.test.owner.query<{ payload: object }>(
    `select payload from quorate.audit_events where resource_id = $1 and action = 'deputy.named' order by at desc limit 1`,
    [ada.id],
  );
  // The reason may be private: it is forgotten, and the log does not forget.
  expect(Object.keys(rows[0]?.payload ?? {}).sort()).toEqual(['deputy', 'from', 'until']);
});

it('cannot be oneself, nor somebody without the role or of another workspace, nor for a time that is over, too long or taken', async () => {
  const { ada, ben, author, plain } = desk.people;
  expect(await name(ada, ada, ada)).toBe('deputySelf');
  expect(await name(ada, ada, plain)).toBe('deputyRole');
  expect(await name(ada, ada, desk.stranger.member)).toBe('deputyRole');
  expect(await name(ada, ada, ben, [-3, -1])).toBe('deputyTime');
  expect(await name(ada, ada, ben, [2, 1])).toBe('deputyTime');
  expect(await name(ada, ada, ben, [0, 400])).toBe('deputyTime');
  await name(ada, ada, ben, [3, 6]);
  expect(await name(ada, ada, author, [5, 8])).toBe('deputyTaken');
  expect(await name(ada, ada, author, [6.1, 8])).toMatch(/^[0-9a-f-]{36}$/);
});

it('closes no circle, also when two name each other at once, and a deputy of a deputy has nothing', async () => {
  const { ada, ben, author, initiator } = desk.people;
  const both = await Promise.all([name(ada, ada, ben), name(ben, ben, ada)]);
  expect(both.filter((answer) => answer === 'deputyAway')).toHaveLength(1);
  await desk.test.owner.query('delete from quorate.deputies');
  const approval = await claim(ada);
  await name(ada, ada, ben);
  const second = await name(ben, ben, author);
  expect(await name(author, author, ada)).toBe('deputyAway');
  expect(await name(initiator, initiator, ada)).toBe('deputyAway');
  // Ben is away himself: it is everyone's, and Ada knows.
  expect(await desk.holderOf(approval)).toBeNull();
  expect(await desk.noticesOf(ada, second)).toEqual(['notifyDeputyAway']);
  await end(ben, second);
  expect(await desk.holderOf(approval)).toBe(ben.id);
});

it('falls back to everyone where the deputy could not decide it, and ends with the membership', async () => {
  const { ada, ben, admin } = desk.people;
  await name(ada, ada, ben);
  const bens = await desk.makeApproval(3600, 'ben');
  await perform(assignApproval, desk.principal(admin), desk.deps, { approval: bens, to: ada.id, seen: null });
  expect(await desk.holderOf(bens)).toBeNull();
  const other = await claim(ada);
  expect(await desk.holderOf(other)).toBe(ben.id);
  await desk.setRoles(ben, ['user']);
  expect(await desk.holderOf(other)).toBeNull();
  await desk.setRoles(ben, ['user', 'approver']);
  await desk.test.owner.query('delete from quorate.deputies');
  const guest = await desk.test.makeUser();
  await desk.test.arrange(desk.workspaceId, async (client) => {
    await client.query(
      `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user,approver}', 'Gil', 'gil@example.com')`,
      [desk.workspaceId, guest.id],
    );
  });
  await name(ada, ada, { ...ben, id: guest.id, name: 'Gil' });
  expect(await desk.holderOf(other)).toBe(guest.id);
  const removal = await perform(removeMember, desk.principal(admin), desk.deps, { userId: guest.id, reason: 'Gil has left' });
  if (removal.state !== 'requested') throw new Error('nobody was asked');
  const { rows } = await desk.test.owner.query('select digest from quorate.control_changes where id = $1', [removal.asked]);
  const vote = { change: removal.asked, vote: 'approve', reason: '', digest: rows[0].digest } as const;
  await desk.test.prove(ben, removal.asked);
  await perform(decideControlChange, desk.principal(ben), desk.deps, vote);
  expect(await desk.holderOf(other)).toBe(ada.id);
});

it('without a time has nothing, and replaces the one before', async () => {
  const { ada, ben, author } = desk.people;
  const approval = await claim(ada);
  const first = await name(ada, ada, ben, null);
  expect(await desk.noticesOf(ben, first)).toEqual(['notifyDeputyStanding']);
  expect(await desk.holderOf(approval)).toBe(ada.id);
  await name(ada, ada, author, null);
  const { rows } = await desk.test.owner.query('select deputy_id from quorate.deputies where ended_at is null');
  expect(rows).toEqual([{ deputy_id: author.id }]);
});

it('is written by no member past the function, and forgotten a month after its end', async () => {
  const { ada, ben } = desk.people;
  const id = await name(ada, ada, ben);
  await expect(
    desk.as(ada, (db) => sql`update quorate.deputies set until_at = until_at + interval '1 year' where id = ${id}`.execute(db)),
  ).rejects.toMatchObject({ code: 'forbidden' });
  await pass(31);
  await forget();
  expect((await desk.test.owner.query('select from quorate.deputies')).rowCount).toBe(1);
  await pass(2);
  await forget();
  expect((await desk.test.owner.query('select from quorate.deputies')).rowCount).toBe(0);
});

it('stands in what a person takes out: their own deputies whole, of others only the time', async () => {
  const { ada, ben } = desk.people;
  await name(ada, ada, ben);
  const dataOf = async (member: TestMember) =>
    (
      await desk.as(member, (db) =>
        sql<{ own: { deputies: object[]; deputyFor: object[] } }>`select quorate.export_own_data() as own`.execute(db),
      )
    ).rows[0]?.own;
  expect(await dataOf(ada)).toMatchObject({ deputies: [{ deputy_id: ben.id, reason: 'Holiday' }], deputyFor: [] });
  const bens = await dataOf(ben);
  expect(bens?.deputies).toEqual([]);
  expect(bens?.deputyFor.map((entry) => Object.keys(entry))).toEqual([['workspaceId', 'from', 'until', 'endedAt']]);
});

it('never lets anybody decide what they could not decide before, whoever asks, writes, is away and stands in', async () => {
  const names: readonly Person[] = ['initiator', 'author', 'ada', 'ben', 'plain'];
  const approvers: readonly Person[] = ['initiator', 'author', 'ada', 'ben'];
  const cases: { approval: string }[] = [];
  for (const asked of names) {
    for (const wrote of approvers) cases.push({ approval: await desk.makeApproval(3600, asked, wrote) });
  }
  const refusals = async () => {
    const all: Record<string, string | null> = {};
    for (const member of names) {
      const { rows } = await desk.as(desk.people[member], (db) =>
        sql<{ id: string; why: string | null }>`select a.id, quorate.my_approval_refusal(a.id) as why from quorate.approvals a
          where a.id = any (${cases.map(({ approval }) => approval)})`.execute(db),
      );
      for (const { id, why } of rows) all[`${member} ${id}`] = why;
    }
    return all;
  };
  const before = await refusals();
  expect(Object.values(before).filter((why) => why === null).length).toBeGreaterThan(10);
  let held = 0;
  for (const away of approvers) {
    for (const deputy of approvers.filter((one) => one !== away)) {
      await desk.test.owner.query('delete from quorate.deputies');
      await name(desk.people[away], desk.people[away], desk.people[deputy]);
      for (const { approval } of cases) {
        await desk.test.arrange(desk.workspaceId, async (client) => {
          await client.query('update quorate.approvals set assigned_to = $2 where id = $1', [approval, desk.people[away].id]);
        });
        const holder = await desk.holderOf(approval);
        if (holder === null) continue;
        held++;
        expect(holder).toBe(desk.people[deputy].id);
        expect(before[`${deputy} ${approval}`], `${deputy} for ${away}`).toBeNull();
      }
      expect(await refusals(), `${deputy} for ${away}`).toEqual(before);
    }
  }
  expect(held).toBeGreaterThan(10);
});
