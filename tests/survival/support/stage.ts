import { afterAll, beforeAll } from 'vitest';
import { type Arranged, arrangeIn } from '#tests/survival/support/arrange.ts';
import { type CountingPeer, startCountingPeer } from '#tests/survival/support/counting-peer.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';

export type Stage = { instance: Instance; peer: CountingPeer; workspace: Arranged; builder: Person };

/**
 * The built product under way before the first test of the file, its workspace with the peer under these names (and the path
 * of each), and its builder signed in; gone after the last. `ready` is given what stands.
 */
export function prepareStage(connections: Record<string, string>, ready: (stage: Stage) => void | Promise<void>): void {
  let instance: Instance | undefined;
  let peer: CountingPeer | undefined;
  beforeAll(async () => {
    peer = await startCountingPeer();
    instance = await createInstance();
    await instance.start();
    const workspace = await arrangeIn(instance);
    for (const [name, path] of Object.entries(connections)) await workspace.connect(name, `${peer.origin}${path}`);
    await ready({ instance, peer, workspace, builder: await signInAs(instance.server(), 'builder') });
  }, 180_000);
  afterAll(async () => {
    await instance?.remove();
    await peer?.stop();
  });
}
