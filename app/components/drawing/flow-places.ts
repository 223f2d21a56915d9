import type { CSSProperties } from 'react';
import { FLOW, type FlowLayout, type FlowPoint, type FlowStep, layoutFlow } from '#app/domain/workflows/flow-layout.ts';

/** Sizes of the picture with the length of a row: for a page beside the sidebar, and for two larger ones; the style sheet knows how wide each becomes. */
const SIZES = [
  ['page', 796],
  ['large', 1060],
  ['wide', 1500],
] as const;
/** The variables of a point in each size, and those of an extent. */
const POINTS = SIZES.map(([size]) => [`--${size[0]}x`, `--${size[0]}y`] as const);
const EXTENTS = SIZES.map(([size]) => [`--${size[0]}w`, `--${size[0]}h`] as const);
/** Of the round sign where a step can be added, in the layout's unit. */
const ADD_SIZE = 24;
/** Pictures whose places are kept: half a megabyte for each that has 200 steps. */
const MOST_KEPT = 16;

type Drawing = Pick<FlowLayout, 'width' | 'height' | 'frames'> & { size: string; lines: string; apart: string };

/** Where everything in a picture stands, in all its sizes at once: the style sheet chooses from `--px`, `--lx`, `--wx` and so on. */
export type FlowPlaces = {
  canvas: CSSProperties;
  drawings: readonly Drawing[];
  /** Dots where the flow begins and ends; null where there is none. `cleanup`: of the steps for a bad end of the run. */
  dots: Record<'start' | 'end' | 'cleanupStart' | 'cleanupEnd', CSSProperties | null>;
  /** Cards of steps by their paths. */
  cards: ReadonlyMap<string, CSSProperties>;
  /** Labels of branches by their paths. */
  labels: ReadonlyMap<string, CSSProperties>;
  /** Where a step can be added, by `placeName`. */
  places: ReadonlyMap<string, CSSProperties>;
};

const kept = new Map<string, FlowPlaces>();

/**
 * The places of a flow's parts. They are kept by all that they depend on (ids, kinds and labels), so that a flow is laid out once for all its
 * readers; a browser gets the same objects again, which React need not compare.
 */
export function placesOf(steps: readonly FlowStep[]): FlowPlaces {
  const content = JSON.stringify(steps.map(contentOf));
  const places = kept.get(content) ?? placeAll(steps);
  kept.delete(content);
  // Behind all others: the first is the one that was not used for longest.
  kept.set(content, places);
  const [first] = kept.keys();
  if (kept.size > MOST_KEPT && first !== undefined) kept.delete(first);
  return places;
}

function contentOf({ id, kind, repeats, branches }: FlowStep): unknown[] {
  if (branches === undefined) return [id, kind];
  return [id, kind, repeats, branches.map(({ label, title, apart, steps }) => [label, title, apart, steps.map(contentOf)])];
}

function placeAll(steps: readonly FlowStep[]): FlowPlaces {
  const layouts = SIZES.map(([, rowLength]) => layoutFlow(steps, rowLength));
  const dot = (middleOf: (layout: FlowLayout) => FlowPoint | undefined) =>
    placed(layouts.map((layout) => cornerOf(middleOf(layout), FLOW.dot)));
  /** All of one kind; each layout has the same. */
  const every = <Point extends FlowPoint>(
    kind: (layout: FlowLayout) => ReadonlyMap<string, Point>,
    half = 0,
    lengthOf?: (point: Point) => number,
  ) => {
    const kinds = layouts.map(kind);
    const styles = new Map<string, CSSProperties>();
    for (const [name, point] of kinds[0] ?? []) {
      const style = placed(kinds.map((points) => cornerOf(points.get(name), half)));
      if (style !== null) styles.set(name, lengthOf === undefined ? style : Object.assign(style, { '--length': lengthOf(point) / 16 }));
    }
    return styles;
  };
  return {
    canvas:
      placed(
        layouts.map(({ width, height }) => ({ x: width, y: height })),
        EXTENTS,
      ) ?? {},
    drawings: layouts.map(({ width, height, frames, lines, apart }, index) => ({
      size: SIZES[index]?.[0] ?? '',
      width,
      height,
      frames,
      lines: lines.join(''),
      apart: apart.join(''),
    })),
    dots: {
      start: dot(({ start }) => start),
      end: dot(({ end }) => end),
      cleanupStart: dot(({ cleanup }) => cleanup?.start),
      cleanupEnd: dot(({ cleanup }) => cleanup?.end),
    },
    cards: every(({ cards }) => cards),
    labels: every(
      ({ labels }) => labels,
      0,
      ({ length }) => length,
    ),
    places: every(({ places }) => places, ADD_SIZE / 2),
  };
}

const cornerOf = (middle: FlowPoint | undefined, half: number): FlowPoint | undefined =>
  middle === undefined || half === 0 ? middle : { x: middle.x - half, y: middle.y - half };

/** A point in each of the sizes; null where one has none. */
function placed(
  points: readonly (FlowPoint | undefined)[],
  names: readonly (readonly [x: string, y: string])[] = POINTS,
): CSSProperties | null {
  const style: Record<string, number> = {};
  for (const [index, [x, y]] of names.entries()) {
    const point = points[index];
    if (point === undefined) return null;
    style[x] = point.x / 16;
    style[y] = point.y / 16;
  }
  return style;
}
