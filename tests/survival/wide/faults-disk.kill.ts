/** A full disk under the data directory: nothing that was acknowledged is lost, and with room again everything continues on its own. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { arrangeIn, FIVE_CALLS } from '#tests/survival/support/arrange.ts';
import { type CountingPeer, startCountingPeer } from '#tests/survival/support/counting-peer.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { full } from '#tests/survival/support/kills.ts';
import { startLoad } from '#tests/survival/support/load.ts';
import { expectNothingLost, expectProvenLog } from '#tests/survival/support/nothing-lost.ts';
import { signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const ROUNDS = full ? 3 : 1;
const SIZE_MB = 400;
const STEP_MS = 5;

let instance: Instance | undefined;
let peer: CountingPeer | undefined;
let mounted: string | undefined;
afterEach(async () => {
  // The mount itself cannot be deleted: what stands in it goes with it.
  await instance?.remove().catch(() => undefined);
  if (mounted !== undefined) {
    spawnSync('umount', ['-l', mounted]);
    rmSync(mounted, { recursive: true, force: true });
  }
  await peer?.stop();
  instance = peer = mounted = undefined;
}, 90_000);

/** Takes every byte that is left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      const bytes = Buffer.alloc(size, 1);
      try {
        for (;;) writeSync(descriptor, bytes);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

test(`${ROUNDS} times the disk is full under load: what was acknowledged is there, and it goes on with room again`, {
  timeout: 600_000,
}, async (context) => {
  instance = await createInstance();
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0755`, 'tmpfs', instance.dataDirectory], {
    encoding: 'utf8',
  });
  if (mount.status !== 0) context.skip(`no small disk can be mounted here: ${(mount.stderr || mount.error?.message)?.trim()}`);
  mounted = instance.dataDirectory;
  const { origin, dataDirectory } = instance;
  peer = await startCountingPeer();
  await instance.start();
  const workspace = await arrangeIn(instance);
  await workspace.connect('counting-peer', `${peer.origin}/mcp`);
  const builder = await signInAs(instance.server(), 'builder');
  const serverPid = instance.server().process.pid;
  const load = startLoad(builder, workspace.workspaceId, await workspace.addWorkflow(FIVE_CALLS));
  const ballast = join(dataDirectory, 'ballast');
  /** While the disk is full a result may find no room, and its step is called again, with the same key: each such moment ends a life. */
  const fullAt: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = load.acknowledged.length;
    await until('work under way', () => load.acknowledged.length > before + 5);
    const [refused, from] = [load.refused(), Date.now()];
    // The database has room in files that it made before, and makes some: the disk is full for it when it cannot continue.
    await until(
      'the full disk is felt',
      () => {
        fill(ballast);
        return load.refused() > refused;
      },
      120_000,
    );
    // The process answers, whatever its database can do.
    const answer = await fetch(`${origin}/healthz`);
    await answer.body?.cancel();
    expect([200, 503]).toContain(answer.status);
    // A person is told that it is not their fault, and has what they typed; what found room after all is done.
    const form = await builder.post('/dashboard/workflows/new', { name: 'Typed on a full disk', description: '' });
    const page = await form.text();
    expect([303, 503]).toContain(form.status);
    if (form.status === 503) {
      expect(form.headers.get('Retry-After')).toMatch(/^\d+$/);
      expect(page).toContain('value="Typed on a full disk"');
    }
    rmSync(ballast);
    await until('health', async () => (await fetch(`${origin}/healthz`)).status === 200, 120_000);
    for (let at = from; at < Date.now(); at += STEP_MS) fullAt.push(at);
    const after = load.acknowledged.length;
    await until('work after the full disk', () => load.acknowledged.length > after, 120_000);
  }
  await load.stop();
  expect(instance.server().process.pid).toBe(serverPid);
  await expectNothingLost(instance, peer, load.acknowledged, 5, fullAt);
  expect(await expectProvenLog(instance)).toBeGreaterThan(0);
});
