/** Kill -9 of the server during load, and in the middle of its schedules; and its end in order under a call. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { addKey } from '#tests/survival/support/add-key.ts';
import { type Arranged, FIVE_CALLS, work } from '#tests/survival/support/arrange.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { byChance, keepResult, killCount } from '#tests/survival/support/kills.ts';
import { startLoad, startRunBy } from '#tests/survival/support/load.ts';
import { expectNothingLost, expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { postmastersOf } from '#tests/survival/support/processes.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

const KILLS = killCount(2);
const WAITING = 3;

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let builder: Person;
prepareStage({ 'counting-peer': '/mcp' }, (stage) => {
  ({ instance, peer, workspace, builder } = stage);
});

test(`${KILLS} kills of the server lose nothing acknowledged and repeat no completed step`, { timeout: 1_200_000 }, () =>
  byChance(async (chance) => {
    const began = performance.now();
    const asking = await workspace.addWorkflow([
      { id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' },
      work('after'),
    ]);
    const waiting = await Promise.all(
      Array.from({ length: WAITING }, () => until('a run', () => startRunBy(builder, workspace.workspaceId, asking, randomUUID()))),
    );
    const isWaiting = async () => {
      const rows = await instance.query<{ status: string; asked: string[] }>(
        `select r.status, (select array_agg(a.status) from quorate.approvals a where a.run_id = r.id) as asked from quorate.runs r where r.id = any ($1)`,
        [waiting],
      );
      return rows.length === WAITING && rows.every(({ status, asked }) => status === 'waiting' && asked?.join() === 'pending');
    };
    await until('runs that wait for people', isWaiting);

    peer.delayMs = 40;
    const load = startLoad(builder, workspace.workspaceId, await workspace.addWorkflow(FIVE_CALLS));
    let inFlight = 0;
    const killsAt: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = load.acknowledged.length;
      await until('work under way', () => load.acknowledged.length > before);
      await pause(chance.between(0, 1_500));
      inFlight += peer.calls.filter((call) => !call.over).length;
      await instance.kill();
      killsAt.push(Date.now());
      await instance.start();
      expect(postmastersOf(instance.dataDirectory)).toHaveLength(1);
    }
    await load.stop();
    const counted = await expectNothingLost(instance, peer, load.acknowledged, 5, killsAt);

    expect(await isWaiting(), 'runs that waited still wait').toBe(true);
    expect(peer.calls.filter((call) => waiting.includes(call.key.slice(0, 36)))).toEqual([]);
    const approver = await signInAs(instance.server(), 'approver');
    const approvals = await instance.query<{ id: string; action_digest: string }>(
      'select id, action_digest from quorate.approvals where run_id = any ($1)',
      [waiting],
    );
    for (const { id, action_digest: digest } of approvals) {
      const answer = await approver.post(`/dashboard/approvals/${id}`, {
        vote: 'approve',
        reason: '',
        digest,
        workspace: workspace.workspaceId,
      });
      await answer.body?.cancel();
      expect(answer.status).toBe(303);
    }
    await expectNothingLost(instance, peer, waiting, 1);
    const events = await expectProvenLog(instance);
    keepResult('kill -9 of the server during load', {
      kills: KILLS,
      seed: chance.seed,
      acknowledgedRuns: counted.runs,
      calls: counted.calls,
      callsInFlightAtAKill: inFlight,
      callsMadeAgain: counted.calledAgain,
      completedStepsRunAgain: 0,
      lostRuns: 0,
      waitingApprovalsKept: WAITING,
      eventsProven: events,
      seconds: Math.round((performance.now() - began) / 1_000),
    });
  }),
);

const SCHEDULES = 60;
const SWEEPS_KILLED = killCount(1);

test(
  `${SWEEPS_KILLED} kills in the middle of ${SCHEDULES} schedules that are due lose no firing and double none`,
  {
    timeout: 600_000,
  },
  () =>
    byChance(async (chance) => {
      const workflow = await workspace.addWorkflow([{ id: 't', name: 'T', kind: 'transform', expression: '1' }]);
      let cutShort = 0;
      for (let kill = 0; kill < SWEEPS_KILLED; kill += 1) {
        const due = await workspace.addDueSchedules(workflow, SCHEDULES);
        const fired = () =>
          instance.query<{ id: string }>(
            `select r.id from unnest($1::uuid[]) as due (id) join quorate.runs r on r.request_key like 'schedule:' || due.id || ':%'`,
            [due],
          );
        await until('a first firing', async () => (await fired()).length > 0);
        await pause(chance.between(0, 300));
        await instance.kill();
        if ((await fired()).length < SCHEDULES) cutShort += 1;
        await instance.start();
        const settled = async () => {
          const open = await instance.query('select 1 from quorate.triggers where id = any ($1) and next_at <= now()', [due]);
          return open.length === 0;
        };
        await until('every schedule to be due later', settled);
        const runs = (await fired()).map(({ id }) => id);
        expect(runs).toHaveLength(SCHEDULES);
        expect(new Set(runs).size).toBe(SCHEDULES);
        const last = await instance.query<{ run: string }>('select last_run_id as run from quorate.triggers where id = any ($1)', [due]);
        expect(last.map(({ run }) => run).sort()).toEqual(runs.sort());
        await expectNothingLost(instance, peer, runs, 0);
      }
      keepResult('kill -9 of the server in the middle of schedules that are due', {
        kills: SWEEPS_KILLED,
        seed: chance.seed,
        sweepsCutShort: cutShort,
        firings: SWEEPS_KILLED * SCHEDULES,
        lostFirings: 0,
        doubledFirings: 0,
        eventsProven: await expectProvenLog(instance),
      });
    }),
);

test('a server that ends closes the connections of its callers, which cancels none of their runs', { timeout: 120_000 }, async () => {
  const key = await addKey(instance, workspace.workspaceId, ['runs:start']);
  const workflow = await workspace.addWorkflow([work('long')]);
  await instance.query(
    `with change as (update quorate.artifacts set name = 'Under way at the end' where id = $1 returning 1), event as (
       insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2::uuid, 'system', 'test.arranged', 'workspace', $2::uuid) select 1`,
    [workflow, workspace.workspaceId],
  );
  // The revision in which a closed connection means a cancelled call.
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const address = new URL(`${instance.origin}/mcp/${workspace.workspaceId}`);
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: { token: async () => key } }));
  peer.hold('/mcp');
  const called = client.callTool({ name: 'under_way_at_the_end', arguments: {} }).then(
    () => 'answered',
    () => 'cut off',
  );
  await until('the step under way', () => peer.held('/mcp') > 0);
  await instance.server().stop();
  expect(await called).toBe('cut off');
  await client.close();
  peer.release('/mcp');
  await instance.start();
  const run = await until('the end of the run', async () => {
    const [row] = await instance.query<{ status: string; cancelled: boolean }>(
      `select status, cancel_requested_at is not null as cancelled from quorate.runs where artifact_id = $1 and finished_at is not null`,
      [workflow],
    );
    return row;
  });
  expect(run).toEqual({ status: 'completed', cancelled: false });
});
