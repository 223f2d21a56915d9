import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { cardsOf } from '#app/features/workflows/editor/picture/picture-cards.ts';
import { isInRows, viewOf } from '#app/features/workflows/editor/picture/picture-scale.ts';

/** Smaller flows are seen whole, or nearly. */
const LEAST_STEPS = 31;
const WIDTH = 176;
const MOST_HEIGHT = 220;

type Box = { x: number; y: number; width: number; height: number };
type Props = { document: WorkflowDocument; frame: RefObject<HTMLElement | null> };

/** A large flow as a whole, with the part that is seen: one drags it there. For the eye and the pointer; find, the arrow keys and scrolling do the same. */
export function PictureMap({ document, frame }: Props) {
  const hydrated = useHydrated();
  const isLarge = [...walkSteps(document.steps)].length >= LEAST_STEPS;
  return hydrated && isLarge ? <SmallPicture document={document} frame={frame} /> : null;
}

function SmallPicture({ document, frame }: Props) {
  const [cards, setCards] = useState<{ boxes: Box[]; shape: number } | null>(null);
  const seen = useRef<SVGRectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each document has other cards
  useEffect(() => {
    const view = viewOf(frame.current);
    if (view === null) return undefined;
    const { scroller, canvas } = view;
    let asked = 0;
    const draw = () => {
      asked = 0;
      const part = partSeen(scroller, canvas);
      for (const [name, value] of Object.entries(part)) seen.current?.setAttribute(name, String(value));
    };
    const soon = () => {
      if (asked === 0) asked = requestAnimationFrame(draw);
    };
    const resized = new ResizeObserver(() => {
      setCards(isInRows(canvas) ? cardsIn(frame.current, canvas) : null);
      soon();
    });
    resized.observe(canvas);
    // Shown larger or smaller it keeps its own size.
    const scaled = new MutationObserver(soon);
    scaled.observe(canvas, { attributeFilter: ['style'] });
    scroller.addEventListener('scroll', soon, { passive: true });
    return () => {
      resized.disconnect();
      scaled.disconnect();
      scroller.removeEventListener('scroll', soon);
      cancelAnimationFrame(asked);
    };
  }, [document, frame]);
  if (cards === null) return null;
  const height = Math.min(MOST_HEIGHT, WIDTH * cards.shape);
  const go = (event: PointerEvent<SVGSVGElement>) => {
    const view = viewOf(frame.current);
    if (view === null || (event.type === 'pointermove' && event.buttons === 0)) return;
    const map = event.currentTarget.getBoundingClientRect();
    scrollToPart(view, { x: (event.clientX - map.left) / map.width, y: (event.clientY - map.top) / map.height });
  };
  return (
    <svg
      aria-hidden="true"
      className="flow-map absolute end-4 bottom-4 cursor-pointer touch-none rounded-md border border-edge bg-surface/95 print:hidden"
      width={WIDTH}
      height={height}
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      onPointerDown={go}
      onPointerMove={go}
    >
      {cards.boxes.map(({ x, y, width, height: tall }) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={tall} className="fill-muted" />
      ))}
      <rect ref={seen} className="fill-accent/20 stroke-accent" strokeWidth={2} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** The cards as parts of the picture (0 to 1), and its height over its width. */
function cardsIn(frame: HTMLElement | null, canvas: HTMLElement): { boxes: Box[]; shape: number } {
  const all = canvas.getBoundingClientRect();
  const boxes = cardsOf(frame).map((card) => {
    const { left, top, width, height } = card.getBoundingClientRect();
    return { x: (left - all.left) / all.width, y: (top - all.top) / all.height, width: width / all.width, height: height / all.height };
  });
  return { boxes, shape: all.height / all.width };
}

function partSeen(scroller: HTMLElement, canvas: HTMLElement): Box {
  const all = canvas.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  const x = Math.max(0, (view.left - all.left) / all.width);
  const y = Math.max(0, (view.top - all.top) / all.height);
  return { x, y, width: Math.min(1 - x, view.width / all.width), height: Math.min(1 - y, view.height / all.height) };
}

/** Brings a point of the picture (0 to 1 on both sides) into the middle. */
function scrollToPart({ scroller, canvas }: { scroller: HTMLElement; canvas: HTMLElement }, { x, y }: { x: number; y: number }): void {
  const all = canvas.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  scroller.scrollBy({
    left: all.left + all.width * x - (view.left + view.width / 2),
    top: all.top + all.height * y - (view.top + view.height / 2),
    behavior: 'instant',
  });
}
