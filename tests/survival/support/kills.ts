/** How often is killed, at which moments, and where the dated result of the full counts is kept. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the whole suite is asked for, and not the short one of `npm test`. */
export const full = process.env.QUORATE_TEST_FULL !== undefined;

/** `npm run test:full` kills twenty times each; QUORATE_KILLS sets another count. */
export function killCount(quick: number): number {
  return Number(process.env.QUORATE_KILLS ?? (full ? 20 : quick));
}

export type Chance = {
  seed: number;
  /** In [0, 1). */
  next(): number;
  between(from: number, to: number): number;
  pick<T>(of: readonly T[]): T;
};

/** Mulberry32: the same moments again with QUORATE_SEED. */
function chanceOf(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    seed,
    next,
    between: (from, to) => from + next() * (to - from),
    pick: (of) => {
      const one = of[Math.floor(next() * of.length)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
  };
}

/** Runs a test at chance moments; a failure names the seed that made them. */
export async function byChance(work: (chance: Chance) => Promise<void>): Promise<void> {
  const seed = Number(process.env.QUORATE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  try {
    await work(chanceOf(seed));
  } catch (error) {
    if (error instanceof Error) error.message = `${error.message}\n(again with QUORATE_SEED=${seed})`;
    throw error;
  }
}

const RESULTS = join(import.meta.dirname, '..', 'results.json');

/** Keeps what the full counts came to; the quick ones leave the file alone. There, test files run one after the other. */
export function keepResult(name: string, result: Record<string, number | string>): void {
  if (!full) return;
  const kept: Record<string, unknown> = JSON.parse(readFileSync(RESULTS, 'utf8'));
  kept[name] = { date: new Date().toISOString().slice(0, 10), ...result };
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`);
}
