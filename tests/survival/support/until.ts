import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the condition answers something but false, null or undefined; faults on the way count as not yet. */
export async function until<T>(what: string, condition: () => Promise<T> | T, withinMs = 120_000): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      last = await condition();
      if (last !== false && last !== null && last !== undefined) return last as NonNullable<Exclude<T, false>>;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what} (${last instanceof Error ? last.message : last})`);
    await pause(20);
  }
}
