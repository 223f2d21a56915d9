import type { StepKind } from '#app/contracts/statuses.ts';
import { cleanupOf, withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';

/** As much of a step as a picture shows. `branches`: the steps it holds; `repeats`: they run several times. */
export type FlowStep = { id: string; name: string; kind: StepKind; note?: string; repeats?: true; branches?: readonly FlowBranch[] };
/** `title` is shown in place of the label. `apart`: a run takes it only when something goes wrong, so its lines are dashed. */
export type FlowBranch = { label: string; title?: string; when: string; apart?: true; steps: readonly FlowStep[] };

/** The steps of a workflow for its picture. `noteOf`: the line below a step's name. */
export function flowOf(steps: readonly Step[], noteOf?: (step: Step) => string): FlowStep[] {
  return steps.map((step) => ({
    id: step.id,
    name: step.name,
    kind: step.kind,
    ...(noteOf === undefined ? {} : { note: noteOf(step) }),
    ...('branches' in step && {
      branches: step.branches.map((branch) => ({ ...branch, steps: flowOf(branch.steps, noteOf) })),
    }),
  }));
}

/** Lengths in sixteenths of a rem, so that the picture grows with the text. Along the flow is x, across it y, from the start of both. */
export const FLOW = { card: { length: 208, height: 76 }, gap: 36, margin: 16, dot: 12 } as const;
/** Between the card of a branching and the line that its branches leave from. */
const FORK = 20;
const LANE_GAP = 24;
const ROW_GAP = 44;
/** Of a character of a branch's label (12 pixels of the monospaced face), and around it. */
const LABEL_CHARACTER = 7.2;
const LABEL_PADDING = 16;
export const LABEL_HEIGHT = 20;
/** Between the steps of a loop and the frame around them. */
const FRAME = 12;
const EMPTY_LANE = { length: 48, up: 14, down: 14 };
const RADIUS = 8;

export type FlowPoint = { x: number; y: number };
export type FlowLayout = {
  width: number;
  height: number;
  /** Start corner of each step's card, by its path. */
  cards: ReadonlyMap<string, FlowPoint>;
  /** Start corner and length of each branch's label, by the path of the branch (`triage/high`). */
  labels: ReadonlyMap<string, FlowPoint & { length: number }>;
  /** Middle of each place between steps, where one may be added: by `placeName`. */
  places: ReadonlyMap<string, FlowPoint>;
  /** Around the steps of each loop. */
  frames: readonly (FlowPoint & { width: number; height: number })[];
  /** Middle of the dots where the flow begins and ends. */
  start: FlowPoint;
  end: FlowPoint;
  /** Path data of the lines (SVG 2, section 9.3), elbows rounded. */
  lines: readonly string[];
  /** The same of the ways that a run takes only when something goes wrong. */
  apart: readonly string[];
  /** Middle of the dots of the steps for a failure or a cancellation of the whole run, which stand below the flow; null: there are none. */
  cleanup: { start: FlowPoint; end: FlowPoint } | null;
};

/** The name of the place before a list's step with this index, or behind its last one. `container`: '' or the path of a branch. */
export const placeName = (container: string, index: number): string => `${container}#${index}`;

/** A place by its name. */
export function readPlace(name: string): [container: string, index: number] {
  const cut = name.lastIndexOf('#');
  return [name.slice(0, cut), Number(name.slice(cut + 1))];
}

/** Length along the flow, and how far it reaches above and below its line. */
type Extent = { length: number; up: number; down: number };

const HALF_CARD = FLOW.card.height / 2;

/** Places steps and draws the lines between them. */
function createPen() {
  const cards = new Map<string, FlowPoint>();
  const labels = new Map<string, FlowPoint & { length: number }>();
  const places = new Map<string, FlowPoint>();
  const frames: (FlowPoint & { width: number; height: number })[] = [];
  const lines: string[] = [];
  const apart: string[] = [];
  let drawn = lines;
  const line = (...points: FlowPoint[]) => drawn.push(roundedPath(points));

  /** `from`: the index of the first of these steps in their list. */
  function placeSequence(items: readonly FlowStep[], prefix: string, x: number, y: number, from = 0): number {
    let end = x;
    items.forEach((step, index) => {
      if (index > 0) {
        line({ x: end, y }, { x: end + FLOW.gap, y });
        end += FLOW.gap;
      }
      places.set(placeName(prefix, from + index), { x: end - (index === 0 && prefix !== '' ? LABEL_PADDING : FLOW.gap / 2), y });
      end = placeStep(step, prefix, end, y);
    });
    places.set(placeName(prefix, from + items.length), {
      x: end + (items.length === 0 && prefix !== '' ? EMPTY_LANE.length / 2 : FLOW.gap / 2),
      y,
    });
    return end;
  }

  function placeStep(step: FlowStep, prefix: string, x: number, y: number): number {
    const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
    cards.set(path, { x, y: y - HALF_CARD });
    const end = x + FLOW.card.length;
    return step.branches === undefined ? end : placeBranches(step, step.branches, path, end, y);
  }

  function placeBranches(step: FlowStep, branches: readonly FlowBranch[], path: string, x: number, y: number): number {
    const fork = x + FORK;
    const before = labelRoom(branches);
    const lanes = branches.map((branch) => ({ branch, inner: branch.steps, extent: laneExtent(before, branch.steps, step.repeats) }));
    const join = fork + Math.max(...lanes.map(({ extent }) => extent.length)) + FORK;
    let at = y;
    lanes.forEach(({ branch, inner, extent }, index) => {
      const above = lanes[index - 1];
      if (above !== undefined) at += above.extent.down + LANE_GAP + extent.up;
      const first = fork + before;
      labels.set(`${path}/${branch.label}`, { x: fork + LABEL_PADDING, y: at - LABEL_HEIGHT / 2, length: labelLength(branch) });
      const lane = () => {
        const end = placeSequence(inner, `${path}/${branch.label}`, first, at);
        line({ x, y }, { x: fork, y }, { x: fork, y: at }, { x: first, y: at });
        line({ x: end, y: at }, { x: join, y: at }, { x: join, y }, { x: join + FORK, y });
      };
      if (branch.apart) drawApart(lane);
      else lane();
      if (step.repeats) frames.push({ x: fork, y: at - extent.up, width: join - fork, height: extent.up + extent.down });
    });
    return join + FORK;
  }

  /** Draws by `draw` a way that is taken only when something goes wrong. */
  function drawApart<Result>(draw: () => Result): Result {
    const before = drawn;
    drawn = apart;
    const result = draw();
    drawn = before;
    return result;
  }
  return { cards, labels, places, frames, lines, apart, line, placeSequence, placeStep, drawApart };
}

/**
 * Lays out a workflow from its start to its end: the first branch stays on the line and the others hang below, so that a step that is added
 * moves none before it. The outermost sequence breaks into rows like text, none longer than `rowLength` unless one step alone is.
 */
export function layoutFlow(steps: readonly FlowStep[], rowLength: number): FlowLayout {
  const { line, placeSequence, placeStep, drawApart, ...drawing } = createPen();
  const top = FLOW.margin;
  const begin = FLOW.margin + FLOW.dot * 2 + FLOW.gap;
  const rows = rowsOf(withoutCleanup(steps), rowLength - begin - FLOW.margin);
  let y = top;
  let width = begin;
  let count = 0;
  let start: FlowPoint | undefined;
  let end: FlowPoint = { x: 0, y: 0 };
  rows.forEach(({ items, extent }, index) => {
    y += extent.up;
    if (index > 0) {
      // from the end of the row above, between the two, to the start of this one
      const between = y - extent.up - ROW_GAP / 2;
      line(
        { ...end },
        { x: end.x + FLOW.gap / 2, y: end.y },
        { x: end.x + FLOW.gap / 2, y: between },
        { x: FLOW.margin, y: between },
        { x: FLOW.margin, y },
        { x: begin, y },
      );
    }
    start ??= { x: FLOW.margin + FLOW.dot, y };
    if (index === 0) line({ x: FLOW.margin + FLOW.dot * 2, y }, { x: begin, y });
    end = { x: placeSequence(items, '', begin, y, count), y };
    count += items.length;
    width = Math.max(width, end.x);
    y += extent.down + ROW_GAP;
  });
  start ??= { x: FLOW.margin + FLOW.dot, y: top + FLOW.dot };
  if (rows.length === 0) {
    end = { x: start.x + FLOW.dot, y: start.y };
    drawing.places.set(placeName('', 0), { x: end.x + FLOW.gap / 2, y: end.y });
  }
  line({ ...end }, { x: end.x + FLOW.gap, y: end.y });
  const last = { x: end.x + FLOW.gap + FLOW.dot, y: end.y };
  width = Math.max(width + FLOW.gap, last.x + FLOW.dot);
  let height = rows.length === 0 ? y + FLOW.dot * 2 : y - ROW_GAP;

  /** The steps for a bad end of the run: a way of its own below the flow, which nothing leads to and nothing follows. */
  const placeCleanup = (step: FlowStep) => {
    const extent = stepExtent(step);
    const at = height + ROW_GAP + extent.up;
    line({ x: FLOW.margin + FLOW.dot * 2, y: at }, { x: begin, y: at });
    const behind = placeStep(step, '', begin, at);
    width = Math.max(width, behind + FLOW.dot * 2);
    height = at + extent.down;
    return { start: { x: FLOW.margin + FLOW.dot, y: at }, end: { x: behind + FLOW.dot, y: at } };
  };
  const step = cleanupOf(steps);
  const cleanup = step === undefined ? null : drawApart(() => placeCleanup(step));
  return { ...drawing, width: width + FLOW.margin, height: height + FLOW.margin, start, end: last, cleanup };
}

/** The outermost steps in as many rows as it takes. */
function rowsOf(steps: readonly FlowStep[], rowLength: number): { items: FlowStep[]; extent: Extent }[] {
  const rows: { items: FlowStep[]; extent: Extent }[] = [];
  for (const step of steps) {
    const extent = stepExtent(step);
    const row = rows.at(-1);
    if (row === undefined || row.extent.length + FLOW.gap + extent.length > rowLength) rows.push({ items: [step], extent });
    else {
      row.items.push(step);
      row.extent = joined([row.extent, extent]);
    }
  }
  return rows;
}

/** A step reaches as far in rows of any length, and is asked for each list around it. */
const extents = new WeakMap<FlowStep, Extent>();

function stepExtent(step: FlowStep): Extent {
  const known = extents.get(step);
  if (known !== undefined) return known;
  const extent = measured(step);
  extents.set(step, extent);
  return extent;
}

function measured(step: FlowStep): Extent {
  const card = { length: FLOW.card.length, up: HALF_CARD, down: HALF_CARD };
  if (step.branches === undefined) return card;
  const before = labelRoom(step.branches);
  const lanes = step.branches.map(({ steps }) => laneExtent(before, steps, step.repeats));
  const hanging = lanes.slice(1).reduce((sum, lane, index) => sum + (lanes[index]?.down ?? 0) + LANE_GAP + lane.up, 0);
  return {
    length: card.length + FORK + Math.max(...lanes.map(({ length }) => length)) + FORK * 2,
    up: Math.max(card.up, lanes[0]?.up ?? 0),
    down: Math.max(card.down, hanging + (lanes.at(-1)?.down ?? 0)),
  };
}

function laneExtent(before: number, steps: readonly FlowStep[], repeats = false): Extent {
  const inner = steps.length === 0 ? EMPTY_LANE : joined(steps.map(stepExtent));
  const frame = repeats ? FRAME : 0;
  return { length: before + inner.length + frame, up: inner.up + frame, down: inner.down + frame };
}

const joined = (extents: readonly Extent[]): Extent => ({
  length: extents.reduce((sum, { length }) => sum + length, 0) + FLOW.gap * (extents.length - 1),
  up: Math.max(...extents.map(({ up }) => up)),
  down: Math.max(...extents.map(({ down }) => down)),
});

/** Before the first step of each branch, with the place where another can be added: the longest label decides, so that the branches begin below one another. */
const labelRoom = (branches: readonly FlowBranch[]) => LABEL_PADDING * 3 + Math.max(...branches.map(labelLength));

/** Written in a monospaced face, whose characters no other script's exceed: the length is known without a browser. */
const labelLength = ({ label, title = label }: FlowBranch) => Math.ceil(title.length * LABEL_CHARACTER) + LABEL_PADDING;

/** A line through these points, each horizontal or vertical from the last, with round elbows. */
function roundedPath(points: readonly FlowPoint[]): string {
  const distinct = points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || before.x !== point.x || before.y !== point.y;
  });
  return distinct
    .map((point, index) => {
      const before = distinct[index - 1];
      const after = distinct[index + 1];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined || before.x === after.x || before.y === after.y) return `L${point.x} ${point.y}`;
      const from = towards(point, before);
      const to = towards(point, after);
      return `L${from.x} ${from.y}Q${point.x} ${point.y} ${to.x} ${to.y}`;
    })
    .join('');
}

/** The point before an elbow where the line begins to turn. */
function towards(elbow: FlowPoint, other: FlowPoint): FlowPoint {
  const distance = Math.abs(other.x - elbow.x) + Math.abs(other.y - elbow.y);
  const share = Math.min(RADIUS, distance / 2) / distance;
  const round = (value: number) => Math.round(value * 100) / 100;
  return { x: round(elbow.x + (other.x - elbow.x) * share), y: round(elbow.y + (other.y - elbow.y) * share) };
}
