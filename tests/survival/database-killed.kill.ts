/** Kill -9 of the database under a running server, whole or one of its sessions. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Arranged, FIVE_CALLS } from '#tests/survival/support/arrange.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { byChance, keepResult, killCount } from '#tests/survival/support/kills.ts';
import { startLoad } from '#tests/survival/support/load.ts';
import { expectNothingLost, expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import type { Person } from '#tests/survival/support/person.ts';
import { backendsOf, postmastersOf } from '#tests/survival/support/processes.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

const KILLS = killCount(2);

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let builder: Person;
prepareStage({ 'counting-peer': '/mcp' }, (stage) => {
  ({ instance, peer, workspace, builder } = stage);
});

async function health(): Promise<number> {
  const answer = await fetch(`${instance.origin}/healthz`, { signal: AbortSignal.timeout(10_000) });
  await answer.body?.cancel();
  return answer.status;
}

test(`${KILLS} kills of the database are said in health and lose nothing acknowledged`, { timeout: 1_200_000 }, () =>
  byChance(async (chance) => {
    const began = performance.now();
    peer.delayMs = 40;
    const serverPid = instance.server().process.pid;
    const load = startLoad(builder, workspace.workspaceId, await workspace.addWorkflow(FIVE_CALLS));
    const away: number[] = [];
    let sessions = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = load.acknowledged.length;
      await until('work under way', () => load.acknowledged.length > before);
      await pause(chance.between(0, 1_200));
      const whole = kill % 2 === 0;
      const killed = whole
        ? await until('the database', () => postmastersOf(instance.dataDirectory)[0])
        : await until('a session of the database', () => chance.pick(backendsOf(instance.dataDirectory)));
      process.kill(killed.pid, 'SIGKILL');
      const killedAt = performance.now();
      if (whole) {
        expect(await until('health that says it', async () => ((await health()) === 503 ? 503 : false), 20_000)).toBe(503);
      } else sessions += 1;
      await until('health', async () => (await health()) === 200);
      away.push(performance.now() - killedAt);
      expect(postmastersOf(instance.dataDirectory)).toHaveLength(1);
    }
    const before = load.acknowledged.length;
    await until('work after the last kill', () => load.acknowledged.length > before);
    await load.stop();
    expect(instance.server().process.pid).toBe(serverPid);
    expect(instance.server().process.exitCode).toBeNull();
    expect(instance.server().output().split('embedded database died').length - 1).toBe(KILLS - sessions);
    const counted = await expectNothingLost(instance, peer, load.acknowledged, 5);
    const events = await expectProvenLog(instance);
    keepResult('kill -9 of the database during load', {
      kills: KILLS,
      seed: chance.seed,
      ofTheWholeDatabase: KILLS - sessions,
      ofOneSession: sessions,
      longestAwayMs: Math.round(Math.max(...away)),
      acknowledgedRuns: counted.runs,
      calls: counted.calls,
      callsMadeAgain: counted.calledAgain,
      completedStepsRunAgain: 0,
      lostRuns: 0,
      eventsProven: events,
      seconds: Math.round((performance.now() - began) / 1_000),
    });
  }),
);
