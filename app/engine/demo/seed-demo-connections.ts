import type { DemoSeed } from '#app/engine/demo/seed-demo-workspace.ts';

/** The built-in peers as connections, with what they offer approved. Looks first what already stands. */
export async function seedDemoConnections(_seed: DemoSeed): Promise<void> {}
