import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { repeat } from '#app/engine/jobs/repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => expect.fail('did not fail');

describe('work that is repeated', () => {
  it('begins at once or after its first pause, and comes again after the pause that it asks for', async () => {
    const at: number[] = [];
    const began = Date.now();
    const work = async () => {
      at.push(Date.now() - began);
      return at.length * 100;
    };
    const late = repeat({ firstMs: 50, work, failed: never });
    await vi.advanceTimersByTimeAsync(400);
    await late.stop();
    expect(at).toEqual([50, 150, 350]);
    const atOnce = repeat({ work, failed: never });
    expect(at).toHaveLength(4);
    await atOnce.stop();
  });

  it('tells how often it failed in a row, and waits as it is told', async () => {
    const outcomes = ['fails', 'fails', 'works', 'fails'];
    const failures: number[] = [];
    const loop = repeat({
      async work() {
        if (outcomes.shift() === 'fails') throw new Error('made to fail');
        return 10;
      },
      failed(_error, count) {
        failures.push(count);
        return outcomes.length === 0 ? 10_000 : 10;
      },
    });
    await vi.advanceTimersByTimeAsync(100);
    await loop.stop();
    expect(failures).toEqual([1, 2, 1]);
  });

  it('comes again at once when it is woken, in a pause or under way, and never twice at once', async () => {
    let times = 0;
    let atWork = 0;
    let gate = Promise.withResolvers<void>();
    const loop = repeat({
      async work() {
        times += 1;
        atWork += 1;
        expect(atWork).toBe(1);
        await gate.promise;
        atWork -= 1;
        return 60_000;
      },
      failed: never,
    });
    loop.wake();
    loop.wake();
    expect(times).toBe(1);
    gate.resolve();
    gate = Promise.withResolvers<void>();
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toBe(2);
    gate.resolve();
    await vi.advanceTimersByTimeAsync(0);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toBe(3);
    await loop.stop();
  });

  it('stops when the work under way has ended, and not before', async () => {
    const gate = Promise.withResolvers<void>();
    let stopped = false;
    const loop = repeat({
      async work(stopping) {
        await gate.promise;
        expect(stopping.aborted).toBe(true);
        return 0;
      },
      failed: never,
    });
    const stop = loop.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stopped).toBe(false);
    gate.resolve();
    await stop;
  });
});
