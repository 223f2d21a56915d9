import { afterEach, beforeEach, expect, vi } from 'vitest';

// A warning that nobody reads hides the next defect: a test that provokes one on purpose takes it back with mockRestore or its own spy.
const silent = ['error', 'warn'] as const;

beforeEach(() => {
  for (const name of silent) vi.spyOn(console, name);
});

afterEach(() => {
  for (const name of silent) {
    const spy = vi.mocked(console[name]);
    if (!vi.isMockFunction(console[name])) continue;
    expect(spy.mock.calls, `console.${name} was called`).toEqual([]);
    spy.mockRestore();
  }
});
