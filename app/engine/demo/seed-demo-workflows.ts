import type { DemoSeed } from '#app/engine/demo/seed-demo-workspace.ts';

/** The three templates as published workflows. Looks first what already stands. */
export async function seedDemoWorkflows(_seed: DemoSeed): Promise<void> {}
