/** A fault of the suite: a worker process stands still in the middle of its runs (SIGSTOP), and wakes after others took them over. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arranged, arrangeIn, FIVE_CALLS } from '#tests/survival/support/arrange.ts';
import { type CountingPeer, startCountingPeer } from '#tests/survival/support/counting-peer.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { keepResult } from '#tests/survival/support/kills.ts';
import { startLoad } from '#tests/survival/support/load.ts';
import { expectNothingLost, expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
/** The lease of 20 s, two looks, and a machine with other things to do. */
const TAKEN_OVER_WITHIN_MS = 45_000;

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

test('a worker that stands still loses its runs, and what it says when it wakes is refused', { timeout: 300_000 }, async () => {
  const builder = await signInAs(instance.server(), 'builder');
  const workflow = await workspace.addWorkflow(FIVE_CALLS);
  peer.delayMs = 1_500;
  await Promise.all([startWorker(), startWorker()]);
  const load = startLoad(builder, workspace.workspaceId, workflow);
  const [victim] = workers;
  if (victim === undefined) throw new Error('no worker');
  await until('calls under way from both workers', async () => {
    const calling = peer.calls.filter((call) => !call.over && call.at > Date.now() - peer.delayMs / 2);
    const rows = await instance.query(
      `select claimed_by from quorate.runs where id = any ($1) and claimed_by is not null group by 1 having count(*) >= 2`,
      [calling.map((call) => call.key.slice(0, 36))],
    );
    return rows.length === 2;
  });
  victim.kill('SIGSTOP');
  const stoppedAt = Date.now();
  const [gone] = await until(
    'the lease to be revoked',
    async () => {
      const rows = await instance.query<{ worker_id: string }>(`select worker_id from quorate.worker_leases where revoked`);
      return rows.length > 0 && rows;
    },
    TAKEN_OVER_WITHIN_MS,
  );
  const takenOverMs = Date.now() - stoppedAt;
  expect(takenOverMs).toBeGreaterThan(1_000);
  await until('all its runs with others', async () => {
    const rows = await instance.query(`select id from quorate.runs where claimed_by = $1 and status = 'processing'`, [gone?.worker_id]);
    return rows.length === 0;
  });
  victim.kill('SIGCONT');
  await until('the worker to have heard of it', async () => {
    const rows = await instance.query(`select worker_id from quorate.worker_leases where worker_id = $1 and not revoked`, [
      gone?.worker_id,
    ]);
    return rows.length === 1;
  });
  const before = load.acknowledged.length;
  await until('work after it woke', () => load.acknowledged.length > before + 5);
  await load.stop();
  peer.delayMs = 20;
  const counted = await expectNothingLost(instance, peer, load.acknowledged, 5, [stoppedAt, stoppedAt + takenOverMs]);
  keepResult('a worker that stands still for longer than its lease', {
    takenOverMs,
    acknowledgedRuns: counted.runs,
    callsMadeAgain: counted.calledAgain,
    completedStepsRunAgain: 0,
    lostRuns: 0,
    eventsProven: await expectProvenLog(instance),
  });
});
