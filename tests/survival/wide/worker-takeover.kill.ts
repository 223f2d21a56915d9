/** A worker process is killed in the middle of its runs, and another takes them over. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arranged, arrangeIn, FIVE_CALLS } from '#tests/survival/support/arrange.ts';
import { type CountingPeer, startCountingPeer } from '#tests/survival/support/counting-peer.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { full, keepResult, killCount } from '#tests/survival/support/kills.ts';
import { startLoad } from '#tests/survival/support/load.ts';
import { expectNothingLost, expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const KILLS = Math.min(5, killCount(1));
/** Judged where nothing runs beside it. */
const TAKEN_OVER_WITHIN_MS = full ? 10_000 : 60_000;

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
const workers: ChildProcess[] = [];

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'app', 'start.ts'), 'worker', '--as-built'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ...instance.settings, QUORATE_DATA_DIR: instance.dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  workers.push(child);
  await until('a worker', () => {
    if (child.exitCode !== null) throw new Error(said);
    return said.includes('The worker is ready');
  });
  return child;
}
async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

beforeAll(async () => {
  peer = await startCountingPeer();
  instance = await createInstance({ QUORATE_WORKER: 'off' });
  await instance.start();
  workspace = await arrangeIn(instance);
  await workspace.connect('counting-peer', `${peer.origin}/mcp`);
}, 180_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => end(worker, 'SIGTERM')));
  await instance?.remove();
  await peer?.stop();
});

test(`${KILLS} times one of two worker processes is killed in the middle: the other ends its runs`, { timeout: 300_000 }, async () => {
  const builder = await signInAs(instance.server(), 'builder');
  const workflow = await workspace.addWorkflow(FIVE_CALLS);
  peer.delayMs = 1_500;
  await Promise.all([startWorker(), startWorker()]);
  const takeOverMs: number[] = [];
  const killsAt: number[] = [];
  const load = startLoad(builder, workspace.workspaceId, workflow);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [victim] = workers.splice(0, 1);
    if (victim === undefined) throw new Error('no worker');
    const before = load.acknowledged.length;
    await until('calls under way from both workers', async () => {
      const calling = peer.calls.filter((call) => !call.over && call.at > Date.now() - peer.delayMs / 2);
      const rows = await instance.query(
        `select claimed_by from quorate.runs where id = any ($1) and claimed_by is not null group by 1 having count(*) >= 2`,
        [calling.map((call) => call.key.slice(0, 36))],
      );
      return rows.length === 2 && load.acknowledged.length > before;
    });
    await end(victim, 'SIGKILL');
    const killedAt = Date.now();
    killsAt.push(killedAt);
    // the kill closes its sockets: what was under way there is told apart from what the other worker still waits for
    const cut = await until('the calls that the kill cut off', () => {
      const found = peer.calls.filter((call) => call.over && call.answeredAt === null && call.at > killedAt - 2_000);
      return found.length > 0 && found;
    });
    await until(
      'the same calls again',
      () => cut.every((one) => peer.calls.some((call) => call.key === one.key && call.at > killedAt)),
      60_000,
    );
    takeOverMs.push(
      Math.max(...cut.map((one) => (peer.calls.find((call) => call.key === one.key && call.at > killedAt)?.at ?? Infinity) - killedAt)),
    );
    await startWorker();
  }
  await load.stop();
  peer.delayMs = 20;
  const counted = await expectNothingLost(instance, peer, load.acknowledged, 5, killsAt);
  expect(Math.max(...takeOverMs)).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  keepResult('kill -9 of one of two worker processes', {
    kills: KILLS,
    longestTakeOverMs: Math.max(...takeOverMs),
    shortestTakeOverMs: Math.min(...takeOverMs),
    acknowledgedRuns: counted.runs,
    callsMadeAgain: counted.calledAgain,
    completedStepsRunAgain: 0,
    lostRuns: 0,
    eventsProven: await expectProvenLog(instance),
  });
});
