import { afterEach, beforeEach, expect, vi } from 'vitest';

const SILENT = ['error', 'warn'] as const;
let noise: { name: string; calls: unknown[][] }[] = [];

// A warning that nobody reads hides the next defect. A test that provokes one on purpose puts a spy of its own in place.
beforeEach(() => {
  noise = SILENT.map((name) => ({ name, calls: vi.spyOn(console, name).mock.calls }));
});

afterEach(() => {
  vi.restoreAllMocks();
  // The next file runs in the same process.
  vi.useRealTimers();
  for (const { name, calls } of noise) expect(calls, `console.${name} was called`).toEqual([]);
});
