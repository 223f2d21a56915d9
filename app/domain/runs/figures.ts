/** Figures as the whole product defines them; each answers null where there is nothing to divide. */

/** Counts over live runs that started in a window. Times in milliseconds. */
export type RunCounts = { started: number; completed: number; failed: number; cancelled: number; activeMs: number; waitingMs: number };
/** Over ended steps. Cost in millionths of a US dollar, of the calls whose price was known; `unpriced` counts the others. */
export type ProcessTotals = {
  activeMs: number;
  waitingMs: number;
  tokensIn: number;
  tokensOut: number;
  costMicros: number;
  calls: number;
  unpriced: number;
};
export const NO_TOTALS: ProcessTotals = { activeMs: 0, waitingMs: 0, tokensIn: 0, tokensOut: 0, costMicros: 0, calls: 0, unpriced: 0 };
/** Of completed runs of workflows that state the minutes their work takes by hand. */
export type SavedTime = { manualMs: number; activeMs: number };

export type Figures = {
  totalWorkflows: number;
  /** Null: the member may not see it. */
  activeUsers: number | null;
  started: number;
  completed: number;
  failed: number;
  /** Live runs started an hour. */
  executionRate: number;
  /** Mean active time of completed runs, and the mean waiting time beside it. */
  responseMs: number | null;
  waitingMs: number | null;
  successRate: number | null;
  errorRate: number | null;
  growthRate: number | null;
  efficiencyGain: number | null;
};

export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
/** completed ÷ (completed + failed) */
export const successRate = (counts: Pick<RunCounts, 'completed' | 'failed'>) => ratio(counts.completed, counts.completed + counts.failed);
/** failed ÷ (completed + failed) */
export const errorRate = (counts: Pick<RunCounts, 'completed' | 'failed'>) => ratio(counts.failed, counts.completed + counts.failed);
/** Against the window before: 0.5 is half as many again. Null where nothing came before. */
export const growthRate = (now: number, before: number) => ratio(now - before, before);
/** The share of the stated time by hand that was saved; less than 0 where a run takes longer. */
export const efficiencyGain = (saved: SavedTime) => ratio(saved.manualMs - saved.activeMs, saved.manualMs);

export function makeFigures(given: {
  counts: RunCounts;
  startedBefore: number;
  hours: number;
  saved: SavedTime;
  totalWorkflows: number;
  activeUsers: number | null;
}): Figures {
  const { counts } = given;
  return {
    totalWorkflows: given.totalWorkflows,
    activeUsers: given.activeUsers,
    started: counts.started,
    completed: counts.completed,
    failed: counts.failed,
    executionRate: counts.started / given.hours,
    responseMs: ratio(counts.activeMs, counts.completed),
    waitingMs: ratio(counts.waitingMs, counts.completed),
    successRate: successRate(counts),
    errorRate: errorRate(counts),
    growthRate: growthRate(counts.started, given.startedBefore),
    efficiencyGain: efficiencyGain(given.saved),
  };
}
