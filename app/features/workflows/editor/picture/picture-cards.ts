import { inTurns } from '#app/features/workflows/editor/picture/in-turns.ts';

/** The cards of the picture as they stand in the page. */
const CARD = '.flow-card[data-path]';
const ADD = 'a.flow-add';
const MOST_MOVING = 20;

/** Cards that open a step, in the order of the flow. A removed step, which a comparison shows, is none. */
export const cardsOf = (picture: Element | null): HTMLElement[] => [...(picture?.querySelectorAll<HTMLElement>(`a${CARD}`) ?? [])];

export const pathOf = (card: Element | undefined): string => (card instanceof HTMLElement ? card.dataset.path : undefined) ?? '';

export const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const cardAt = (picture: Element | null, path: string): HTMLElement | undefined =>
  cardsOf(picture).find((card) => pathOf(card) === path);

/** The path of the card that something happens on. */
export function pathAt(target: EventTarget): string | null {
  const card = target instanceof Element ? target.closest(`a${CARD}`) : null;
  return card === null ? null : pathOf(card);
}

/** The next card that is no part of these steps, or the one before; '': there is none. */
export function pathBeside(picture: Element | null, paths: readonly string[]): string {
  const all = cardsOf(picture).map(pathOf);
  const stays = (path: string) => !paths.some((gone) => path === gone || path.startsWith(`${gone}/`));
  const at = all.indexOf(paths[0] ?? '');
  return all.slice(at).find(stays) ?? all.slice(0, Math.max(at, 0)).findLast(stays) ?? '';
}

/** The paths from one card to another, both included, in the order of the flow. */
export function pathsBetween(picture: Element | null, one: string, other: string): string[] {
  const all = cardsOf(picture).map(pathOf);
  const [from, to] = [all.indexOf(one), all.indexOf(other)];
  return from === -1 ? [other] : all.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** The focus first and the scrolling in the next frame: the browser would lay out the whole page at once for both. */
export function focusCard(card: HTMLElement | undefined): void {
  if (card === undefined) return;
  card.focus({ preventScroll: true });
  requestAnimationFrame(() => card.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
}

/** The card that an arrow key, Home or End leads to from another. Undefined: there is none. */
export function cardTowards(picture: Element, path: string, key: string): HTMLElement | undefined {
  const cards = cardsOf(picture);
  const at = cards.findIndex((card) => pathOf(card) === path);
  if (key === 'Home') return cards[0];
  if (key === 'End') return cards.at(-1);
  if (key === 'ArrowUp' || key === 'ArrowDown') return cardAcross(cards, at, key === 'ArrowDown' ? 1 : -1);
  return cards[at + alongFlow(picture, key)];
}

/** Of the way along the flow: 1 with it, -1 against it, 0 for any other key; in the direction of writing. */
export function alongFlow(picture: Element, key: string): number {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0;
  const forward = getComputedStyle(picture).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  return key === forward ? 1 : -1;
}

/** The nearest card below (1) or above (-1). */
function cardAcross(cards: readonly HTMLElement[], at: number, way: 1 | -1): HTMLElement | undefined {
  const own = cards[at]?.getBoundingClientRect();
  if (own === undefined) return undefined;
  const others = cards.flatMap((card) => {
    const box = card.getBoundingClientRect();
    const down = (box.top - own.top) * way;
    // Sideways counts more, so that a column is kept.
    return down > own.height / 2 ? [{ card, distance: down + Math.abs(box.left - own.left) * 2 }] : [];
  });
  return others.toSorted((a, b) => a.distance - b.distance)[0]?.card;
}

/** The link that adds a step right behind the one at a path. */
export function addBehind(picture: Element, place: { container: string; index: number }): HTMLAnchorElement | undefined {
  return [...picture.querySelectorAll<HTMLAnchorElement>(ADD)].find((link) => {
    const { searchParams } = new URL(link.href);
    return searchParams.get('in') === place.container && searchParams.get('at') === String(place.index);
  });
}

/** The nearest place between steps, within reach of where something is dragged. */
export function placeNear(picture: Element, point: { clientX: number; clientY: number }): HTMLAnchorElement | null {
  const near = [...picture.querySelectorAll<HTMLAnchorElement>(ADD)].map((place) => {
    const { x, y, width, height } = place.getBoundingClientRect();
    return { place, distance: Math.hypot(x + width / 2 - point.clientX, y + height / 2 - point.clientY) };
  });
  const [nearest] = near.toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance < 120 ? nearest.place : null;
}

/** Shows where what is dragged would go. */
export function markPlace(picture: Element, place: Element | null): void {
  for (const marked of picture.querySelectorAll(`${ADD}[data-over]`)) if (marked !== place) marked.removeAttribute('data-over');
  place?.setAttribute('data-over', '');
}

/** One tab stop for the whole picture: the card that was used last. */
export function markStop(picture: Element, active: string): void {
  const cards = cardsOf(picture);
  const stop = cards.find((card) => pathOf(card) === active) ?? cards[0];
  for (const card of cards) setTabIndex(card, card === stop ? 0 : -1);
  for (const add of picture.querySelectorAll<HTMLElement>(ADD)) setTabIndex(add, -1);
}

/** From the card that was used before to another: two elements of hundreds change. */
export function moveStop(picture: Element, from: string, to: string): void {
  const cards = cardsOf(picture);
  setTabIndex(cards.find((card) => pathOf(card) === from) ?? cards[0], -1);
  setTabIndex(
    cards.find((card) => pathOf(card) === to),
    0,
  );
}

/** Written only where it differs: each element that is written has its style found anew. */
function setTabIndex(element: HTMLElement | undefined, index: 0 | -1): void {
  if (element?.getAttribute('tabindex') !== String(index)) element?.setAttribute('tabindex', String(index));
}

/** Shows and says on its card what is chosen, first where it is seen. Returns a function that ends it before all are marked. */
export function markChosen(picture: Element, chosen: ReadonlySet<string>, chosenWords: string): () => void {
  const isChosen = (card: Element) => chosen.has(pathOf(card));
  const changed = cardsOf(picture).filter((card) => card.hasAttribute('data-chosen') !== isChosen(card));
  const { top, bottom } = picture.getBoundingClientRect();
  const isSeen = (card: Element) => {
    const box = card.getBoundingClientRect();
    return box.bottom > Math.max(top, 0) && box.top < Math.min(bottom, window.innerHeight);
  };
  return inTurns(changed, isSeen, (card) => {
    card.toggleAttribute('data-chosen', isChosen(card));
    if (isChosen(card)) card.setAttribute('aria-describedby', chosenWords);
    else card.removeAttribute('aria-describedby');
  });
}

/** Shows which card a search has led to; undefined: none. */
export function markFound(picture: Element | null, found: HTMLElement | undefined): void {
  for (const marked of picture?.querySelectorAll(`${CARD}[data-found]`) ?? []) if (marked !== found) marked.removeAttribute('data-found');
  found?.setAttribute('data-found', '');
}

/** Shows on which cards a change is under way; of many, on the first. */
export function markMoving(picture: Element | null, paths: readonly string[]): void {
  const moving = new Set(paths.slice(0, MOST_MOVING));
  for (const card of picture?.querySelectorAll(`${CARD}[data-moving]`) ?? []) card.removeAttribute('data-moving');
  for (const card of moving.size === 0 ? [] : cardsOf(picture)) if (moving.has(pathOf(card))) card.setAttribute('data-moving', '');
}
