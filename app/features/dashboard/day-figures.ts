import { ratio, successRate } from '#app/domain/runs/figures.ts';

/** Live runs that started within some time, by their end. Cost in millionths of a US dollar. */
export type DayCounts = { started: number; completed: number; failed: number; cancelled: number; activeMs: number; costMicros: number };

export const NO_RUNS: DayCounts = { started: 0, completed: 0, failed: 0, cancelled: 0, activeMs: 0, costMicros: 0 };

export function sumOf(parts: readonly DayCounts[]): DayCounts {
  return parts.reduce(
    (sum, part) => ({
      started: sum.started + part.started,
      completed: sum.completed + part.completed,
      failed: sum.failed + part.failed,
      cancelled: sum.cancelled + part.cancelled,
      activeMs: sum.activeMs + part.activeMs,
      costMicros: sum.costMicros + part.costMicros,
    }),
    NO_RUNS,
  );
}

/** Figures of a stretch of time; null where nothing has ended that could be measured. */
export const DAY_FIGURES = {
  runs: (counts: DayCounts) => counts.started,
  success: (counts: DayCounts) => successRate(counts),
  active: (counts: DayCounts) => ratio(counts.activeMs, counts.completed),
  cost: (counts: DayCounts) => counts.costMicros,
} as const satisfies Record<string, (counts: DayCounts) => number | null>;
export type DayFigure = keyof typeof DAY_FIGURES;

/** A week against the one before: `by` is never negative. `none`: one of the two has no value. */
export type Comparison = { way: 'more' | 'less'; by: number } | { way: 'same' | 'none' };

/** `shown` writes a value as the reader sees it: what reads the same counts as the same. */
export function compareWeeks(now: number | null, before: number | null, shown: (value: number) => string): Comparison {
  if (now === null || before === null) return { way: 'none' };
  if (shown(now) === shown(before)) return { way: 'same' };
  return now > before ? { way: 'more', by: now - before } : { way: 'less', by: before - now };
}
