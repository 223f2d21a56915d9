/** Faults of the suite: the database stands still for a while (SIGSTOP), or is shut down by someone else (57P01) under a running server. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Arranged, FIVE_CALLS } from '#tests/survival/support/arrange.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { full, keepResult } from '#tests/survival/support/kills.ts';
import { startLoad } from '#tests/survival/support/load.ts';
import { expectNothingLost, expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import type { Person } from '#tests/survival/support/person.ts';
import { postmastersOf, processesOf } from '#tests/survival/support/processes.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

/** Longer than a lease in the whole suite. */
const STOPPED_MS = full ? 30_000 : 7_000;

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let builder: Person;
prepareStage({ 'counting-peer': '/mcp' }, (stage) => {
  ({ instance, peer, workspace, builder } = stage);
});

const underWay = (atLeast: number) =>
  until('calls under way', () => {
    const calling = peer.calls.filter((call) => !call.over);
    return calling.length >= atLeast && calling;
  });

async function faultDuringLoad(name: string, fault: () => Promise<void>): Promise<void> {
  peer.delayMs = 1_500;
  const load = startLoad(builder, workspace.workspaceId, await workspace.addWorkflow(FIVE_CALLS));
  await underWay(3);
  await fault();
  const before = load.acknowledged.length;
  await until('work after it', () => load.acknowledged.length > before + 5, 60_000);
  await load.stop();
  peer.delayMs = 20;
  // no moment of a kill is given: a call that comes twice is a fault
  const counted = await expectNothingLost(instance, peer, load.acknowledged, 5);
  expect(counted.calledAgain).toBe(0);
  expect(instance.server().process.exitCode).toBeNull();
  expect(instance.server().output()).not.toContain('starting the worker thread again');
  keepResult(name, {
    acknowledgedRuns: counted.runs,
    calls: counted.calls,
    callsMadeAgain: counted.calledAgain,
    lostRuns: 0,
    eventsProven: await expectProvenLog(instance),
  });
}

test(`the database stands still for ${STOPPED_MS / 1_000} s: nothing is lost, and no call is made again`, { timeout: 300_000 }, () =>
  faultDuringLoad(`the database stands still for ${STOPPED_MS / 1_000} s`, async () => {
    const found = processesOf(instance.dataDirectory).filter(({ line }) => line.startsWith('postgres:') || /\/postgres -D /.test(line));
    expect(found.length).toBeGreaterThan(3);
    for (const { pid } of found) process.kill(pid, 'SIGSTOP');
    await pause(STOPPED_MS);
    for (const { pid } of found) process.kill(pid, 'SIGCONT');
  }),
);

// Fast, which ends every session with 57P01, and smart, which would wait for our sessions: the server ends them.
const SHUTDOWNS = [['smart', 'SIGTERM'], ...(full ? [['fast', 'SIGINT']] : [])] as ['smart' | 'fast', NodeJS.Signals][];

test.each(SHUTDOWNS)(
  'a %s shutdown by somebody else: the worker lives on, and no call is made again',
  { timeout: 300_000 },
  (kind, signal) =>
    faultDuringLoad(kind === 'fast' ? 'the database is restarted in order' : 'a smart shutdown of the database', async () => {
      const before = await until('the database', () => postmastersOf(instance.dataDirectory)[0]);
      process.kill(before.pid, signal);
      await until(
        'another database',
        () => {
          const [now] = postmastersOf(instance.dataDirectory);
          return now !== undefined && now.pid !== before.pid;
        },
        30_000,
      );
    }),
);
