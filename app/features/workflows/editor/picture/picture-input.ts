import type { ClipboardEvent, DragEvent, KeyboardEvent } from 'react';
import { stepsAt } from '#app/domain/workflows/edit/several-steps.ts';
import { placeName } from '#app/domain/workflows/flow-layout.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { containerOf, stepAt } from '#app/domain/workflows/workflow-edit.ts';
import type { Moves } from '#app/features/workflows/editor/picture/moves.ts';
import { MAX_PASTED } from '#app/features/workflows/editor/picture/pasted-steps.ts';
import {
  addBehind,
  alongFlow,
  cardAt,
  cardTowards,
  focusCard,
  markPlace,
  pathAt,
  pathOf,
  placeNear,
} from '#app/features/workflows/editor/picture/picture-cards.ts';
import { placeOf } from '#app/features/workflows/editor/step-place.ts';

const STEP_TYPE = 'application/x-quorate-step';

/** Choosing several cards. */
export type Picking = {
  choose(paths: Iterable<string>): void;
  toggle(path: string): void;
  /** From here on `extend` reaches, unless something is chosen already. */
  begin(path: string): void;
  extend(path: string): void;
  /** The steps that a key on this card means: all that are chosen where it is one of them, else its own. */
  meant(path: string): string[];
  hasAny(): boolean;
};

/** The keys of the picture, each for the card that has the focus. */
export function keysOf({ draft, undo, act }: Moves, picking: Picking) {
  const edit = (event: KeyboardEvent<HTMLElement>, path: string, key: string): boolean => {
    const control = event.ctrlKey || event.metaKey;
    const way = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : alongFlow(event.currentTarget, key);
    if (way !== 0 && event.altKey) act({ intent: way > 0 ? 'move-down' : 'move-up', said: 'moved', paths: picking.meant(path) });
    else if (control && key === 'd') act({ intent: 'duplicate-step', said: 'duplicated', paths: picking.meant(path) });
    else if (!control && (key === 'Delete' || key === 'Backspace'))
      act({ intent: 'delete-step', said: 'deleted', paths: picking.meant(path) });
    else if (key === 'Insert' || (control && key === 'Enter')) addBehind(event.currentTarget, behind(draft, path))?.click();
    else return false;
    return true;
  };
  const pick = (event: KeyboardEvent<HTMLElement>, path: string, key: string): boolean => {
    const control = event.ctrlKey || event.metaKey;
    if (control && key === 'a') picking.choose([...walkSteps(draft.document.steps)].map((step) => step.path));
    else if (control && key === ' ') picking.toggle(path);
    else if (key === 'Escape' && picking.hasAny()) picking.choose([]);
    else return false;
    return true;
  };
  const go = (event: KeyboardEvent<HTMLElement>, path: string, key: string): boolean => {
    if (!(key.startsWith('Arrow') || key === 'Home' || key === 'End')) return false;
    const control = event.ctrlKey || event.metaKey;
    const card = control ? inOrOut(draft, event.currentTarget, path, key) : cardTowards(event.currentTarget, path, key);
    if (card !== undefined && event.shiftKey) {
      picking.begin(path);
      picking.extend(pathOf(card));
    }
    focusCard(card);
    return true;
  };
  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const path = pathAt(event.target);
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const isUndo = (event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y');
      if (isUndo) undo(key === 'y' || event.shiftKey ? 'redo' : 'undo');
      else if (path === null || !(edit(event, path, key) || pick(event, path, key) || go(event, path, key))) return;
      event.preventDefault();
    },
  };
}

/** The step around a card, or the first that it holds. */
function inOrOut({ document }: Moves['draft'], picture: Element, path: string, key: string): HTMLElement | undefined {
  const into = key === 'ArrowDown' || alongFlow(picture, key) === 1;
  if (!into) return cardAt(picture, containerOf(containerOf(path)));
  const inside = [...walkSteps(document.steps)].find((step) => containerOf(containerOf(step.path)) === path);
  return inside === undefined ? undefined : cardAt(picture, inside.path);
}

const behind = ({ document }: Moves['draft'], path: string) => ({
  container: containerOf(path),
  index: placeOf(document.steps, path).index + 1,
});

/** The name of the place right behind a step. */
export const placeBehind = (draft: Moves['draft'], path: string): string => {
  const { container, index } = behind(draft, path);
  return placeName(container, index);
};

/** Steps as they are copied: one as an object, several as a list. */
export function copyOf({ document }: Moves['draft'], paths: readonly string[]): string {
  const steps = stepsAt(document, paths);
  return JSON.stringify(steps.length === 1 ? steps[0] : steps, null, 2);
}

export function clipboardOf({ draft, act, announce }: Moves, picking: Picking) {
  const onCopy = (event: ClipboardEvent): void => {
    const path = pathAt(event.target);
    // Text that is selected is copied as text.
    if (path === null || stepAt(draft.document, path) === null || window.getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', copyOf(draft, picking.meant(path)));
    if (event.type === 'cut') act({ intent: 'delete-step', said: 'cut', paths: picking.meant(path) });
    else announce('copied', picking.meant(path));
  };
  return {
    onCopy,
    onCut: onCopy,
    onPaste(event: ClipboardEvent): void {
      const path = pathAt(event.target);
      if (path === null) return;
      event.preventDefault();
      const steps = event.clipboardData.getData('text/plain').slice(0, MAX_PASTED);
      act({ intent: 'paste-steps', said: 'pasted', paths: [path], place: placeBehind(draft, path), steps });
    },
  };
}

export function draggingOf({ act }: Moves, picking: Picking) {
  const placeOfDrag = (event: DragEvent) => (event.dataTransfer.types.includes(STEP_TYPE) ? placeNear(event.currentTarget, event) : null);
  return {
    onDragStart(event: DragEvent): void {
      const path = pathAt(event.target);
      if (path === null) return;
      event.dataTransfer.setData(STEP_TYPE, path);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver(event: DragEvent): void {
      const place = placeOfDrag(event);
      markPlace(event.currentTarget, place);
      if (place !== null) event.preventDefault();
    },
    onDragEnd: (event: DragEvent) => markPlace(event.currentTarget, null),
    onDrop(event: DragEvent): void {
      const place = placeOfDrag(event);
      const path = event.dataTransfer.getData(STEP_TYPE);
      markPlace(event.currentTarget, null);
      if (place === null || path === '') return;
      event.preventDefault();
      const { searchParams } = new URL(place.href);
      const at = placeName(searchParams.get('in') ?? '', Number(searchParams.get('at')));
      act({ intent: 'move-to', said: 'moved', paths: picking.meant(path), place: at });
    },
  };
}
