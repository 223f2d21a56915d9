import { STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { StepKind, StepStatus } from '#app/contracts/statuses.ts';
import { breakAxis, type Stretch } from '#app/domain/runs/broken-axis.ts';
import { type Dry, dryOf, dryReasonOf } from '#app/features/runs/dry-note.tsx';
import type { LoopItems } from '#app/features/runs/load-run-steps.server.ts';
import type { TraceStep } from '#app/features/runs/trace/load-trace-steps.server.ts';
import type { TracePlace } from '#app/features/runs/trace/trace-place.ts';

export const TRACE_PAGE_SIZE = 200;

/** From where to where on the axis, as shares of its width. */
export type TraceSpan = [from: number, to: number];

export type TraceRow = {
  path: string;
  name: string;
  kind: StepKind;
  /** 0 for an outermost step. */
  depth: number;
  /** The step around it, and the list of that step it stands in, where the row is the first of it. */
  around: { name: string; kind: StepKind } | null;
  branch: string | null;
  status: StepStatus;
  attempt: number;
  protocol: 'mcp' | 'a2a' | null;
  tokens: number | null;
  costMicros: number | null;
  /** Milliseconds without those for people; null while it is under way. */
  activeMs: number | null;
  waitedMs: number;
  items: LoopItems | null;
  dry: Dry | null;
  dryReason: Explanation | null;
  /** Milliseconds from the first step to its start, and its bar; null for a step that did not run here. */
  startMs: number | null;
  span: TraceSpan | null;
  /** Where people were waited for, within the bar. */
  waits: TraceSpan[];
  /** work: it did something itself; pause: it waits; frame: its work is in the rows below it. */
  bar: 'work' | 'pause' | 'frame';
};

export type Trace = {
  rows: TraceRow[];
  /** Milliseconds since the first step at equal distances; null inside a break. */
  ticks: (number | null)[];
  breaks: { from: number; to: number; ms: number }[];
  /** Whether the axis has breaks unless the true scale is asked for. */
  breakable: boolean;
  page: number;
  pageCount: number;
  steps: number;
  errors: number;
  has: { tokens: boolean; cost: boolean };
};

type Nested = { step: TraceStep; depth: number; around: TraceStep | null; branch: string | null; holds: boolean };
const TICKS = 4;

/** The steps of a run, in the order of their start, as rows of a tree over time. `now` in milliseconds: where what is under way ends. */
export function traceOf(steps: readonly TraceStep[], place: TracePlace, now: number): Trace {
  const nested = nest(steps);
  const failed = nested.filter(({ step }) => step.status === 'error');
  const wanted = place.errors ? nested.filter(({ step }) => failed.some((one) => `${one.step.path}/`.startsWith(`${step.path}/`))) : nested;
  const pageCount = Math.max(1, Math.ceil(wanted.length / TRACE_PAGE_SIZE));
  const selected = wanted.findIndex(({ step }) => step.path === place.step);
  const page = Math.min(pageCount, place.page ?? Math.floor(Math.max(0, selected) / TRACE_PAGE_SIZE) + 1);
  const { rows, ...axis } = draw(nested, wanted.slice((page - 1) * TRACE_PAGE_SIZE, page * TRACE_PAGE_SIZE), place.trueScale, now);
  return {
    rows,
    ...axis,
    page,
    pageCount,
    steps: nested.length,
    errors: failed.length,
    has: {
      tokens: steps.some(({ usage }) => usage !== null),
      cost: steps.some(({ usage }) => usage !== null && usage.costMicros !== null),
    },
  };
}

/** Puts each step below the one whose path it continues. */
function nest(steps: readonly TraceStep[]): Nested[] {
  const byPath = new Map(steps.map((step) => [step.path, step]));
  const below = new Map<TraceStep | null, TraceStep[]>();
  for (const step of steps) {
    const around = nearestAround(step.path, byPath);
    below.set(around, [...(below.get(around) ?? []), step]);
  }
  const listOf = (step: TraceStep, around: TraceStep | null) => {
    const rest = around === null ? [] : step.path.slice(around.path.length + 1).split('/');
    return rest.length > 1 ? (rest[0] ?? null) : null;
  };
  const walk = (around: TraceStep | null, depth: number): Nested[] => {
    const children = below.get(around) ?? [];
    // Parallel lists run side by side; each is read as a whole.
    const lists = [...new Set(children.map((step) => listOf(step, around)))];
    return lists.flatMap((branch) =>
      children
        .filter((step) => listOf(step, around) === branch)
        .flatMap((step, index) => [
          { step, depth, around, branch: index === 0 ? branch : null, holds: below.has(step) },
          ...walk(step, depth + 1),
        ]),
    );
  };
  return walk(null, 0);
}

function nearestAround(path: string, byPath: ReadonlyMap<string, TraceStep>): TraceStep | null {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = byPath.get(path.slice(0, end));
    if (found !== undefined) return found;
  }
  return null;
}

/** Skipped steps took no time, and those taken over from an earlier run took theirs then. */
const ranHere = ({ status, kept }: TraceStep) => status !== 'skipped' && !kept;

function draw(all: readonly Nested[], shown: readonly Nested[], trueScale: boolean, now: number) {
  const ran = all.filter(({ step }) => ranHere(step));
  const endOf = (step: TraceStep) => Math.max(Date.parse(step.startedAt), step.finishedAt === null ? now : Date.parse(step.finishedAt));
  const first = Math.min(...ran.map(({ step }) => Date.parse(step.startedAt)));
  const last = Math.max(first + 1, ...ran.map(({ step }) => endOf(step)));
  const stretchOf = (step: TraceStep): Stretch => ({ start: Date.parse(step.startedAt), end: endOf(step) });
  const waitsOf = (step: TraceStep): Stretch[] => {
    const { start, end } = stretchOf(step);
    if (isForPeople(step.kind)) return [{ start, end }];
    return step.waits
      .map(({ from, until }) => ({ start: Math.max(start, from), end: Math.min(end, until ?? now) }))
      .filter((wait) => wait.end > wait.start);
  };
  const barOf = ({ step, holds }: Nested): TraceRow['bar'] =>
    holds ? 'frame' : STEP_PRESENTATIONS[step.kind].idle && STEP_PRESENTATIONS[step.kind].holds === null ? 'pause' : 'work';
  const work = ran.filter((one) => barOf(one) === 'work').flatMap(({ step }) => without(stretchOf(step), waitsOf(step)));
  const broken = breakAxis(work, first, last);
  const axis = trueScale ? breakAxis([{ start: first, end: last }], first, last) : broken;
  const span = ({ start, end }: Stretch): TraceSpan => [rounded(axis.placeOf(start)), rounded(axis.placeOf(end))];
  const rows = shown.map((one): TraceRow => {
    const { step, depth, around, branch } = one;
    const { path, name, kind, status, attempt, protocol, usage, items } = step;
    const waits = ranHere(step) ? waitsOf(step) : [];
    const waitedMs = waits.reduce((sum, { start, end }) => sum + end - start, 0);
    const took = step.finishedAt === null ? null : Date.parse(step.finishedAt) - Date.parse(step.startedAt);
    return {
      ...{ path, name, kind, depth, branch, status, attempt, protocol, items, waitedMs },
      dry: dryOf(step.reason),
      dryReason: dryReasonOf(step.reason),
      around: around === null ? null : { name: around.name, kind: around.kind },
      tokens: usage === null ? null : usage.tokensIn + usage.tokensOut,
      costMicros: usage?.costMicros ?? null,
      activeMs: took === null || status === 'skipped' ? null : Math.max(0, took - waitedMs),
      startMs: ranHere(step) ? Date.parse(step.startedAt) - first : null,
      span: ranHere(step) ? span(stretchOf(step)) : null,
      waits: waits.map(span),
      bar: barOf(one),
    };
  });
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => axis.timeAt(tick / TICKS)).map((at) => (at === null ? null : at - first));
  return { rows, ticks: ran.length === 0 ? [] : ticks, breaks: [...axis.breaks], breakable: broken.breaks.length > 0 };
}

const isForPeople = (kind: StepKind) => STEP_PRESENTATIONS[kind].idle && STEP_PRESENTATIONS[kind].lane === 'people';

/** The rest of a stretch outside these. */
function without(whole: Stretch, parts: readonly Stretch[]): Stretch[] {
  return parts.reduce<Stretch[]>(
    (left, { start, end }) =>
      left.flatMap((one) =>
        end <= one.start || start >= one.end
          ? [one]
          : [
              { start: one.start, end: start },
              { start: end, end: one.end },
            ].filter((rest) => rest.end > rest.start),
      ),
    [whole],
  );
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000;
