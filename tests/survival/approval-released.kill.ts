/** A kill between the consumption of an approval and its call. The moment is made, not hit: the peer holds what comes before the call. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Arranged, work } from '#tests/survival/support/arrange.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { keepResult, killCount } from '#tests/survival/support/kills.ts';
import { startRunBy } from '#tests/survival/support/load.ts';
import { expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

const HELD = '/held';
const KILLS = Math.min(3, killCount(1));

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let builder: Person;
prepareStage({ grader: '/mcp', 'counting-peer': HELD }, (stage) => {
  ({ instance, peer, workspace, builder } = stage);
});

type Approval = {
  id: string;
  status: string;
  step_path: string;
  action_digest: string;
  consumed_key: string | null;
  consumed_at: Date | null;
};
const approvalsOf = (run: string) =>
  instance.query<Approval>(
    'select id, status, step_path, action_digest, consumed_key, consumed_at from quorate.approvals where run_id = $1 order by created_at',
    [run],
  );

const start = (workflow: string) => until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));

async function approve({ id, action_digest: digest }: Approval): Promise<void> {
  const account = (await instance.server().demoAccounts()).find(({ roles }) => roles.includes('approver'));
  if (account === undefined) throw new Error('nobody approves');
  const approver = await signInAs(instance.server(), 'approver');
  // the risk is high: with the password
  const form = { vote: 'approve', reason: '', digest, password: account.password, workspace: workspace.workspaceId };
  const answer = await approver.post(`/dashboard/approvals/${id}`, form);
  await answer.body?.cancel();
  expect(answer.status).toBe(303);
}

test(`${KILLS} kills between consumption and call: the same key again, and nothing else is released`, { timeout: 300_000 }, async () => {
  const workflow = await workspace.addWorkflow([
    { id: 'grade', name: 'Grade', kind: 'tool', connection: 'grader', capability: 'grade', input: { text: 'x' } },
    work('send'),
  ]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [run, other] = [await start(workflow), await start(workflow)];
    const asked = await until('the question', async () => (await approvalsOf(run))[0]);
    const otherAsked = await until('the other question', async () => (await approvalsOf(other))[0]);
    expect(otherAsked.action_digest).not.toBe(asked.action_digest);
    // no connection is open after a start: whatever goes before the call comes first, and is held
    await instance.kill();
    await instance.start();
    const before = peer.calls.length;
    peer.hold(HELD);
    await approve(asked);
    await until('the worker on its way to the call', () => peer.held(HELD) > 0);
    const [consumed] = await approvalsOf(run);
    expect(consumed).toMatchObject({ status: 'consumed', consumed_key: `${run}/send` });
    expect(peer.calls).toHaveLength(before);

    await instance.kill();
    peer.release(HELD);
    await instance.start();
    await until('the end of the run', async () => {
      const [row] = await instance.query<{ status: string }>('select status from quorate.runs where id = $1', [run]);
      return row?.status === 'completed';
    });
    expect(peer.calls.slice(before)).toMatchObject([{ tool: 'work', key: `${run}/send`, text: `${run}/send` }]);
    expect(await approvalsOf(run)).toEqual([consumed]);

    // the other run asked the same of the same peer, and still waits for its own answer
    expect(await approvalsOf(other)).toEqual([otherAsked]);
    const [waiting] = await instance.query<{ status: string }>('select status from quorate.runs where id = $1', [other]);
    expect(waiting).toEqual({ status: 'waiting' });
    // nor does it count again for whoever asks in the name of another step, or of that step for another action
    for (const [path, digest] of [
      ['again', asked.action_digest],
      ['send', 'another digest'],
    ]) {
      const released = await instance
        .query('select quorate.take_approval(r, $2, $3, $4, null) as answer from quorate.runs r where r.id = $1', [
          run,
          path,
          `${run}/${path}`,
          digest,
        ])
        .then(
          (rows) => rows[0]?.answer.state,
          () => 'refused',
        );
      expect(released).not.toBe('approved');
    }
  }
  keepResult('kill between the consumption of an approval and its call', {
    kills: KILLS,
    callsUnderAnotherKey: 0,
    otherStepsReleased: 0,
    eventsProven: await expectProvenLog(instance),
  });
});
