/** A stretch of time in milliseconds, `start` before `end`. */
export type Stretch = { start: number; end: number };

/** Maps times to shares of a width, 0 to 1, with idle time cut short. */
export type TimeAxis = {
  /** The place of a time between the first and the last one; times beyond are at the edge. */
  placeOf(ms: number): number;
  /** The time at a place; null within a break, whose places stand for no time of their own. */
  timeAt(place: number): number | null;
  /** Idle time that is cut short, in order: where it is drawn, and how long it was in milliseconds. */
  breaks: readonly { from: number; to: number; ms: number }[];
};

/** Idle time is cut short from here on, in milliseconds. */
const LEAST_MS = 60_000;
/** The least share of the time that is left which an idle stretch must take to be cut. */
const LEAST_SHARE = 0.15;
const MOST_BREAKS = 6;
/** The share of the width that a break takes. */
const BREAK_WIDTH = 0.04;

/**
 * An axis from `first` to `last` on which the longest stretches without work are cut short, so that work beside a wait of days can be seen.
 * `work`: when something was under way, in any order, overlapping or not. Between two breaks the axis is linear, of one scale throughout.
 */
export function breakAxis(work: readonly Stretch[], first: number, last: number): TimeAxis {
  const cuts = cutsOf(work, first, last);
  const idle = cuts.reduce((sum, { start, end }) => sum + end - start, 0);
  // Where nothing was done at all there is nothing to make room for.
  const cut = idle < last - first ? cuts : [];
  const shown = Math.max(1, last - first - (cut.length === 0 ? 0 : idle));
  const scale = (1 - cut.length * BREAK_WIDTH) / shown;
  const breaks = cut.map(({ start, end }, index) => {
    const before = cut.slice(0, index).reduce((sum, gap) => sum + gap.end - gap.start, 0);
    const from = (start - first - before) * scale + index * BREAK_WIDTH;
    return { start, end, from, to: from + BREAK_WIDTH, ms: end - start };
  });
  return {
    breaks: breaks.map(({ from, to, ms }) => ({ from, to, ms })),
    placeOf(ms) {
      const at = Math.min(last, Math.max(first, ms));
      const inside = breaks.find(({ start, end }) => at > start && at < end);
      if (inside !== undefined) return inside.from + ((at - inside.start) / inside.ms) * BREAK_WIDTH;
      const passed = breaks.filter(({ end }) => end <= at);
      return (at - first - passed.reduce((sum, { ms: length }) => sum + length, 0)) * scale + passed.length * BREAK_WIDTH;
    },
    timeAt(place) {
      if (breaks.some(({ from, to }) => place > from && place < to)) return null;
      const passed = breaks.filter(({ to }) => to <= place);
      return first + (place - passed.length * BREAK_WIDTH) / scale + passed.reduce((sum, { ms }) => sum + ms, 0);
    },
  };
}

/** The idle stretches that are cut, in order of time: the longest first, as long as each is a good part of what is left. */
function cutsOf(work: readonly Stretch[], first: number, last: number): Stretch[] {
  const idle = idleStretches(work, first, last).sort((a, b) => b.end - b.start - (a.end - a.start));
  const cut: Stretch[] = [];
  let left = last - first;
  for (const gap of idle) {
    const length = gap.end - gap.start;
    if (cut.length === MOST_BREAKS || length < LEAST_MS || length < left * LEAST_SHARE) break;
    cut.push(gap);
    left -= length;
  }
  return cut.sort((a, b) => a.start - b.start);
}

function idleStretches(work: readonly Stretch[], first: number, last: number): Stretch[] {
  const idle: Stretch[] = [];
  let until = first;
  for (const { start, end } of [...work].sort((a, b) => a.start - b.start)) {
    if (start > until) idle.push({ start: until, end: Math.min(start, last) });
    until = Math.max(until, end);
  }
  if (until < last) idle.push({ start: until, end: last });
  return idle.filter(({ start, end }) => end > start);
}
