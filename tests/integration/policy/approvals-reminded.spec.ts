/** An approval that nobody decides: its holder is reminded, then the deputy is told, then everyone who could decide; each once, and on record. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimApproval } from '#app/engine/commands/approvals/claim-approval.ts';
import { nameDeputy } from '#app/engine/commands/approvals/name-deputy.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { remindOfApprovals } from '#app/engine/jobs/deliver.ts';
import { type ApprovalDesk, openApprovalDesk } from '#tests/integration/support/approval-desk.ts';

let desk: ApprovalDesk;
let approval: string;
beforeAll(async () => {
  desk = await openApprovalDesk();
});
afterAll(() => desk.test.close());

beforeEach(async () => {
  await desk.test.owner.query('delete from quorate.deputies');
  approval = await desk.makeApproval(3600);
  await perform(claimApproval, desk.principal(desk.people.ada), desk.deps, { approval, seen: null });
});

const remind = () => remindOfApprovals({ asApp: (work) => desk.test.database.app(work) });
/** The notices of each person, without those that an approval waits. */
async function told() {
  const said = await Promise.all(
    (['ada', 'ben', 'initiator', 'author'] as const).map(
      async (name) => [name, await desk.noticesOf(desk.people[name], approval)] as const,
    ),
  );
  return Object.fromEntries(
    said
      .map(([name, notices]) => [name, notices.filter((key) => !key.startsWith('notifyApprovalWaiting'))])
      .filter(([, keys]) => keys?.length),
  ) as Record<string, string[]>;
}
const escalations = async () =>
  (
    await desk.test.owner.query(
      `select actor_kind, payload ->> 'to' as to, payload ->> 'deputy' as deputy, payload ->> 'people' as people
       from quorate.audit_events where resource_id = $1 and action = 'approval.escalated' order by at, id`,
      [approval],
    )
  ).rows;
const nameBen = (time: { from: Date; until: Date } | { from: null; until: null }) =>
  perform(nameDeputy, desk.principal(desk.people.ada), desk.deps, {
    ...{ id: newId(), user: desk.people.ada.id, deputy: desk.people.ben.id, reason: '' },
    ...time,
  });

it('is reminded of once before it is due: its holder, its deputy, then everyone who could decide; nothing else changes', async () => {
  await nameBen({ from: null, until: null });
  await desk.leave(approval, 1000);
  await remind();
  expect(await told()).toEqual({});
  await desk.leave(approval, 800);
  await Promise.all([remind(), remind()]);
  expect(await told()).toEqual({ ada: ['notifyApprovalDue'] });
  await desk.leave(approval, 400);
  await Promise.all([remind(), remind(), remind()]);
  expect(await told()).toEqual({ ada: ['notifyApprovalDue'], ben: ['notifyApprovalEscalated'] });
  await desk.leave(approval, 200);
  await Promise.all([remind(), remind()]);
  await remind();
  expect(await told()).toEqual({
    ada: ['notifyApprovalDue', 'notifyApprovalUndecided'],
    ben: ['notifyApprovalEscalated', 'notifyApprovalUndecided'],
  });
  expect(await escalations()).toEqual([
    { actor_kind: 'worker', to: 'deputy', deputy: desk.people.ben.id, people: '1' },
    { actor_kind: 'worker', to: 'approver', deputy: null, people: '2' },
  ]);
  const { rows } = await desk.test.owner.query(
    `select status, assigned_to, reminders, remind_at, deputy_told, deputy_told_at is not null and role_told_at >= deputy_told_at as in_order
     from quorate.approvals where id = $1`,
    [approval],
  );
  expect(rows).toEqual([
    { status: 'pending', assigned_to: desk.people.ada.id, reminders: 3, remind_at: null, deputy_told: desk.people.ben.id, in_order: true },
  ]);
  await desk.withdraw(approval);
  expect(
    Object.values(await told())
      .flat()
      .filter((notice) => !notice.endsWith(' read')),
  ).toEqual([]);
});

it('goes on to everyone where there is no deputy, and none is recorded', async () => {
  for (const seconds of [800, 400, 200]) {
    await desk.leave(approval, seconds);
    await remind();
  }
  expect(await told()).toEqual({ ada: ['notifyApprovalDue', 'notifyApprovalUndecided'], ben: ['notifyApprovalUndecided'] });
  expect((await escalations()).map(({ to }) => to)).toEqual(['approver']);
});

it('reminds the deputy of who is away, and says for whom', async () => {
  const now = Date.now();
  await nameBen({ from: new Date(now - 1000), until: new Date(now + 86_400_000) });
  await desk.leave(approval, 800);
  await remind();
  expect(await told()).toEqual({ ben: ['notifyApprovalDueFor'] });
  const { rows } = await desk.test.owner.query<{ values: Record<string, string> }>(
    `select subject -> 'values' as values from quorate.notifications where user_id = $1 and once = $2`,
    [desk.people.ben.id, `approval-due:${approval}`],
  );
  expect(rows[0]?.values).toMatchObject({ away: 'Ada', until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/) });
});

it('tells no deputy who could not decide it', async () => {
  await nameBen({ from: null, until: null });
  const own = await desk.makeApproval(3600, 'ben');
  await perform(claimApproval, desk.principal(desk.people.ada), desk.deps, { approval: own, seen: null });
  approval = own;
  for (const seconds of [800, 400]) {
    await desk.leave(own, seconds);
    await remind();
  }
  expect(await told()).toEqual({ ada: ['notifyApprovalDue'] });
  expect(await escalations()).toEqual([]);
});

it('is not told twice when the process dies between telling and the next', async () => {
  await nameBen({ from: null, until: null });
  await desk.leave(approval, 400);
  await desk.test.owner.query('update quorate.approvals set reminders = 1, remind_at = clock_timestamp() where id = $1', [approval]);
  const died = new Error('killed');
  await expect(
    remindOfApprovals({
      asApp: (work) =>
        desk.test.database.app(async (db) => {
          await work(db);
          throw died;
        }),
    }),
  ).rejects.toBe(died);
  expect([await told(), await escalations()]).toEqual([{}, []]);
  await remind();
  await remind();
  expect(await told()).toEqual({ ben: ['notifyApprovalEscalated'] });
  expect(await escalations()).toHaveLength(1);
});
