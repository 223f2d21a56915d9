import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { afterFrame } from '#app/features/workflows/editor/picture/in-turns.ts';

const LEAST = 0.25;
const MOST = 2;
const STEP = 1.25;

type Point = { x: number; y: number };

/** The scroll container of the picture, and the picture itself. */
export function viewOf(frame: HTMLElement | null): { scroller: HTMLElement; canvas: HTMLElement } | null {
  const canvas = frame?.querySelector<HTMLElement>('.flow-canvas');
  const scroller = canvas?.parentElement;
  return canvas && scroller ? { scroller, canvas } : null;
}

/** True where the cards stand in rows over lines; false where they are a list from top to bottom. */
export const isInRows = (canvas: HTMLElement): boolean => getComputedStyle(canvas).position === 'relative';

const within = (scale: number) => Math.min(MOST, Math.max(LEAST, scale));

/** How large the picture is shown: by buttons, by pinching with two fingers, and by the wheel with Ctrl, as browsers tell the pinch of a trackpad. */
export function usePictureScale(frame: RefObject<HTMLElement | null>) {
  const [scale, setScale] = useState(1);
  const shown = useRef(1);
  const drawn = useRef(1);
  const prevent = useRef<() => void>(undefined);
  /** `around`: a point of the window that stays where it is; absent: the middle of what is seen. */
  const show = useCallback(
    (to: (now: number) => number, around?: Point) => {
      shown.current = within(to(shown.current));
      setScale(shown.current);
      // The figure first, and the picture with the frame after it: drawing hundreds of cards takes a slow machine longer than one waits for an answer.
      prevent.current?.();
      prevent.current = afterFrame(() => {
        const view = viewOf(frame.current);
        if (view === null || shown.current === drawn.current) return;
        drawAt(view.canvas, shown.current);
        keepPlace(view.scroller, shown.current / drawn.current, around);
        drawn.current = shown.current;
      });
    },
    [frame],
  );
  useEffect(() => {
    const canvas = viewOf(frame.current)?.canvas;
    if (canvas === undefined) return undefined;
    // Its own size changes with the draft and the window.
    const resized = new ResizeObserver(() => drawAt(canvas, drawn.current));
    resized.observe(canvas);
    return () => {
      resized.disconnect();
      prevent.current?.();
    };
  }, [frame]);
  usePinch(frame, show);
  return {
    scale,
    larger: () => show((now) => now * STEP),
    smaller: () => show((now) => now / STEP),
    /** The whole picture, but never larger than it is. */
    fit: () => show((now) => fitting(frame.current) ?? now),
  };
}

function fitting(frame: HTMLElement | null): number | null {
  const view = viewOf(frame);
  if (view === null) return null;
  const { scroller, canvas } = view;
  return Math.min(1, scroller.clientWidth / canvas.offsetWidth, (window.innerHeight * 0.75) / canvas.offsetHeight);
}

/** Scales what is drawn: laid out anew, hundreds of cards would take a second. The margins give it the room that it then takes. */
function drawAt(canvas: HTMLElement, scale: number): void {
  const room = (length: number) => (scale === 1 ? '' : `${length * (scale - 1)}px`);
  const { offsetWidth, offsetHeight } = canvas;
  canvas.style.scale = scale === 1 ? '' : String(scale);
  canvas.style.marginInlineEnd = room(offsetWidth);
  canvas.style.marginBlockEnd = room(offsetHeight);
}

/** Scrolls so that a point of the picture stays under the fingers while all around it grows. */
function keepPlace(scroller: HTMLElement, ratio: number, around: Point | undefined): void {
  const box = scroller.getBoundingClientRect();
  const isRtl = getComputedStyle(scroller).direction === 'rtl';
  const at = around ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const x = isRtl ? box.right - at.x : at.x - box.left;
  const y = at.y - box.top;
  const along = (Math.abs(scroller.scrollLeft) + x) * ratio - x;
  const down = (scroller.scrollTop + y) * ratio - y;
  scroller.scrollTo({ left: isRtl ? -along : along, top: down, behavior: 'instant' });
}

function usePinch(frame: RefObject<HTMLElement | null>, show: (to: (now: number) => number, around?: Point) => void): void {
  useEffect(() => {
    const picture = frame.current;
    if (picture === null) return undefined;
    let apart = 0;
    const fingers = ({ touches }: TouchEvent) => {
      const [one, other] = [touches[0], touches[1]];
      if (one === undefined || other === undefined) return null;
      const middle = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
      return { middle, distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
    };
    const onTouchStart = (event: TouchEvent) => {
      apart = fingers(event)?.distance ?? 0;
    };
    const onTouchMove = (event: TouchEvent) => {
      const two = fingers(event);
      if (two === null || apart === 0) return;
      event.preventDefault();
      const ratio = two.distance / apart;
      apart = two.distance;
      show((now) => now * ratio, two.middle);
    };
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      show((now) => now * Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
    };
    picture.addEventListener('touchstart', onTouchStart, { passive: true });
    // Not passive: the browser would enlarge the whole page as well.
    picture.addEventListener('touchmove', onTouchMove, { passive: false });
    picture.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      picture.removeEventListener('touchstart', onTouchStart);
      picture.removeEventListener('touchmove', onTouchMove);
      picture.removeEventListener('wheel', onWheel);
    };
  }, [frame, show]);
}
