import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { wantsStillness } from '#app/features/public/frame/wants-stillness.ts';

/** How long each slide is shown. */
const ADVANCE_MS = 5_000;

/**
 * Moves the track in `box` on every five seconds, around. It never starts where stillness is wanted; focus and pointer hold it while they
 * last; whatever a person does to it stops it for good, until they start it again.
 */
export function useRotation(box: RefObject<HTMLElement | null>, count: number) {
  const [index, setIndex] = useState(0);
  const [rotating, setRotating] = useState(false);
  const held = useRef({ focus: false, pointer: false });
  /** The slide that the track is moving to: those that it passes do not count. */
  const aim = useRef<number | null>(null);

  const go = useCallback(
    (wanted: number) => {
      const next = (wanted + count) % count;
      setIndex(next);
      aim.current = next;
      scrollTo(trackIn(box.current), next);
    },
    [box, count],
  );
  const show = (wanted: number) => {
    setRotating(false);
    go(wanted);
  };

  useEffect(() => setRotating(!wantsStillness()), []);
  useEffect(() => {
    if (!rotating) return;
    const tick = setInterval(() => {
      if (!held.current.focus && !held.current.pointer && !document.hidden) go(index + 1);
    }, ADVANCE_MS);
    return () => clearInterval(tick);
  }, [rotating, index, go]);
  useEffect(() => {
    const stop = () => {
      aim.current = null;
      setRotating(false);
    };
    return holdWhileUsed(box.current, held.current, stop);
  }, [box]);
  useEffect(() => {
    const seen = (place: number) => {
      if (aim.current !== null && aim.current !== place) return;
      aim.current = null;
      setIndex(place);
    };
    return followScrolling(trackIn(box.current), seen);
  }, [box]);
  useEffect(() => {
    // Slides out of sight must not take the focus.
    for (const [place, slide] of [...(trackIn(box.current)?.children ?? [])].entries()) slide.toggleAttribute('inert', place !== index);
  }, [box, index]);

  return { index, rotating, show, toggle: () => setRotating(!rotating) };
}

function trackIn(box: HTMLElement | null): HTMLElement | null {
  return box?.querySelector<HTMLElement>('[data-carousel-track]') ?? null;
}

/** Brings the slide to the reading edge of the track, in both directions of writing, and leaves the page where it is. */
function scrollTo(track: HTMLElement | null, place: number) {
  const slide = track?.children[place];
  if (!track || !slide) return;
  const edge = getComputedStyle(track).direction === 'rtl' ? 'right' : 'left';
  const distance = slide.getBoundingClientRect()[edge] - track.getBoundingClientRect()[edge];
  track.scrollBy({ left: distance, behavior: wantsStillness() ? 'auto' : 'smooth' });
}

function holdWhileUsed(box: HTMLElement | null, held: { focus: boolean; pointer: boolean }, stop: () => void): () => void {
  if (box === null) return () => {};
  const track = trackIn(box);
  const on = new AbortController();
  const { signal } = on;
  box.addEventListener('focusin', () => Object.assign(held, { focus: true }), { signal });
  box.addEventListener('focusout', () => Object.assign(held, { focus: false }), { signal });
  box.addEventListener('pointerenter', () => Object.assign(held, { pointer: true }), { signal });
  box.addEventListener('pointerleave', () => Object.assign(held, { pointer: false }), { signal });
  track?.addEventListener('pointerdown', stop, { signal });
  track?.addEventListener('wheel', (event) => event.deltaX !== 0 && stop(), { signal, passive: true });
  track?.addEventListener('keydown', (event) => event.key.startsWith('Arrow') && stop(), { signal });
  return () => on.abort();
}

/** Tells which slide is in sight, also after someone has scrolled the track by hand. */
function followScrolling(track: HTMLElement | null, seen: (place: number) => void): () => void {
  if (track === null) return () => {};
  const slides = [...track.children];
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) seen(slides.indexOf(entry.target));
    },
    { root: track, threshold: 0.6 },
  );
  for (const slide of slides) observer.observe(slide);
  return () => observer.disconnect();
}
