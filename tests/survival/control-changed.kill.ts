/**
 * A kill between the answer to a control change and its effect, between break-glass and its effect, and while break-glass is undone. The
 * moment is made, not hit: another connection holds the policy that the effect needs.
 */
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Arranged } from '#tests/survival/support/arrange.ts';
import { type Instance, superuser } from '#tests/survival/support/instance.ts';
import { full, keepResult, killCount } from '#tests/survival/support/kills.ts';
import { expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

const KILLS = killCount(1);
/** Each waits for a sweep of half a minute. */
const GLASS_KILLS = Math.min(5, KILLS);

let instance: Instance;
let workspace: Arranged;
prepareStage({}, (stage) => {
  ({ instance, workspace } = stage);
});

type Status = 'active' | 'inactive';
type Change = { id: string; digest: string; status: string };

async function policy(): Promise<{ id: string; status: Status }> {
  const [row] = await instance.query<{ id: string; status: Status }>(
    "select id, status from quorate.artifacts where workspace_id = $1 and kind = 'policy' and name = 'High risk needs an approver'",
    [workspace.workspaceId],
  );
  if (row === undefined) throw new Error('there is no policy');
  return row;
}
const changes = (id: string) =>
  instance.query<Change>(
    'select id, digest, status from quorate.control_changes where resource_id = $1 order by created_at desc, id desc',
    [id],
  );
const count = async (text: string, values: unknown[]): Promise<number> =>
  (await instance.query<{ count: number }>(`select count(*)::int as count from (${text}) x`, values))[0]?.count ?? 0;
const votes = (change: string) => count('select from quorate.control_votes where change_id = $1', [change]);
const events = (action: string, change: string) =>
  count("select from quorate.audit_events where action = $1 and payload ->> 'change' = $2", [action, change]);

async function passwordOf(role: 'admin' | 'approver'): Promise<string> {
  const account = (await instance.server().demoAccounts()).find(({ roles }) => roles.includes(role));
  if (account === undefined) throw new Error(`nobody is ${role}`);
  return account.password;
}
async function send(person: Person, path: string, form: Record<string, string>): Promise<number> {
  const answer = await person.post(path, { ...form, workspace: workspace.workspaceId });
  await answer.body?.cancel();
  return answer.status;
}
/** Asks for the policy to be paused, or to be active again. */
async function ask(): Promise<Change> {
  const { id, status } = await policy();
  const admin = await signInAs(instance.server(), 'admin');
  const intent = status === 'active' ? 'pause' : 'activate';
  expect(await send(admin, `/dashboard/policies/${id}`, { intent, reason: 'A test asks' })).toBe(303);
  const [asked] = await changes(id);
  if (asked?.status !== 'pending') throw new Error('nothing was asked for');
  return asked;
}
async function answer({ id, digest }: Change): Promise<number> {
  const approver = await signInAs(instance.server(), 'approver');
  return send(approver, `/dashboard/changes/${id}`, { vote: 'approve', reason: '', digest, password: await passwordOf('approver') });
}
async function breakGlass({ id, digest }: Change): Promise<number> {
  const admin = await signInAs(instance.server(), 'admin');
  const form = { command: 'breakGlass', reason: 'At night', hours: '1', digest, password: await passwordOf('admin') };
  return send(admin, `/dashboard/changes/${id}`, form);
}

/** Kills the server while what `begin` starts waits for the policy, which another connection holds. */
async function killAtEffect(begin: () => Promise<unknown>): Promise<void> {
  const { id } = await policy();
  const holder = new pg.Client(superuser(instance.dataDirectory));
  // the next start may end the database under it
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from quorate.artifacts where id = $1 for update', [id]);
  // a request of which the server is gone
  const begun = begin().catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  });
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'
    and query ~ 'vote_control_change|start_break_glass|expire_control_change'`;
  await until('the effect waits', async () => (await count(waiting, [])) > 0);
  await instance.kill();
  await begun;
  await holder.end().catch(() => undefined);
  await instance.start();
}

test(`${KILLS} kills between the answer and the effect: nothing half done, and done once afterwards`, { timeout: 900_000 }, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const asked = await ask();
    const before = (await policy()).status;
    await killAtEffect(() => answer(asked));
    const [after] = await changes((await policy()).id);
    expect({ ...after, policy: (await policy()).status, votes: await votes(asked.id) }).toEqual({ ...asked, policy: before, votes: 0 });
    expect(await answer(asked)).toBe(303);
    const done = before === 'active' ? 'inactive' : 'active';
    expect((await policy()).status).toBe(done);
    expect(await events(done === 'active' ? 'policy.activated' : 'policy.paused', asked.id)).toBe(1);
    // a second answer finds it decided
    expect(await answer(asked)).toBe(409);
    expect(await votes(asked.id)).toBe(1);
  }
  keepResult('kill between the answer to a control change and its effect', { kills: KILLS, eventsProven: await expectProvenLog(instance) });
});

// Two sweeps of half a minute are awaited: in full.
test.runIf(full)(`${GLASS_KILLS} kills at the start of break-glass and while it is undone`, { timeout: 900_000 }, async () => {
  for (let kill = 0; kill < GLASS_KILLS; kill += 1) {
    // each of these is a week after the one before
    await arranged(`update quorate.break_glass set started_at = started_at - interval '8 days', ends_at = ends_at - interval '8 days',
      ended_at = ended_at - interval '8 days'; update quorate.control_changes set decided_at = decided_at - interval '8 days'`);
    const asked = await ask();
    const before = (await policy()).status;
    await killAtEffect(() => breakGlass(asked));
    expect((await changes((await policy()).id))[0]).toEqual(asked);
    expect((await policy()).status).toBe(before);
    expect(await count('select from quorate.break_glass where change_id = $1', [asked.id])).toBe(0);

    expect(await breakGlass(asked)).toBe(303);
    const during = before === 'active' ? 'inactive' : 'active';
    expect((await policy()).status).toBe(during);
    await killAtEffect(() =>
      arranged(`update quorate.break_glass set started_at = started_at - interval '2 hours', ends_at = ends_at - interval '2 hours'
        where ended_at is null`),
    );
    // the first sweep after the start undoes it, once
    await until('the end of break-glass', async () => (await changes((await policy()).id))[0]?.status === 'expired');
    expect((await policy()).status).toBe(before);
    expect(await events('breakGlass.ended', asked.id)).toBe(1);
  }
  keepResult('kill at the start of break-glass, and while it is undone', {
    kills: 2 * GLASS_KILLS,
    eventsProven: await expectProvenLog(instance),
  });
});

/** A change that no member can make: time passes for what is in these tables. */
async function arranged(text: string): Promise<void> {
  const triggers = (state: 'disable' | 'enable') =>
    ['break_glass', 'control_changes'].map((table) => `alter table quorate.${table} ${state} trigger user`).join('; ');
  await instance.query(`begin; ${triggers('disable')}; ${text}; ${triggers('enable')}; commit`);
}
