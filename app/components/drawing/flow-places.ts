import type { CSSProperties } from 'react';
import { FLOW, type FlowLayout, type FlowPoint, type FlowStep, layoutFlow } from '#app/domain/workflows/flow-layout.ts';

/** Sizes of the picture with the length of a row: for a page beside the sidebar, and for two larger ones; the style sheet knows how wide each becomes. */
const SIZES = [
  ['page', 796],
  ['large', 1060],
  ['wide', 1500],
] as const;
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
  const inEach = (pointOf: (layout: FlowLayout) => FlowPoint | undefined | null, names = 'xy') => placed(layouts.map(pointOf), names);
  const dot = (middleOf: (layout: FlowLayout) => FlowPoint | undefined) => inEach((layout) => cornerOf(middleOf(layout), FLOW.dot));
  /** All of one kind; each layout has the same. */
  const every = <Point extends FlowPoint>(
    kind: (layout: FlowLayout) => ReadonlyMap<string, Point>,
    more: (point: Point) => CSSProperties = () => ({}),
    half = 0,
  ) =>
    new Map(
      [...(layouts[0] === undefined ? [] : kind(layouts[0]))].map(([name, point]) => [
        name,
        { ...inEach((layout) => cornerOf(kind(layout).get(name), half)), ...more(point) },
      ]),
    );
  return {
    canvas: inEach(({ width, height }) => ({ x: width, y: height }), 'wh') ?? {},
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
      ({ length }) => variables({ length: length / 16 }),
    ),
    places: every(({ places }) => places, undefined, ADD_SIZE / 2),
  };
}

const cornerOf = (middle: FlowPoint | undefined, half: number): FlowPoint | undefined =>
  middle === undefined ? undefined : { x: middle.x - half, y: middle.y - half };

/** A point in each of the sizes; null where one has none. */
function placed(points: readonly (FlowPoint | undefined | null)[], names: string): CSSProperties | null {
  const values: Record<string, number> = {};
  for (const [index, point] of points.entries()) {
    if (point === undefined || point === null) return null;
    const size = SIZES[index]?.[0][0];
    values[`${size}${names[0]}`] = point.x / 16;
    values[`${size}${names[1]}`] = point.y / 16;
  }
  return variables(values);
}

function variables(values: Record<string, number>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]));
}
