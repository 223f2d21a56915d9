import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { href, useSubmit } from 'react-router';
import { useFormWorkspace } from '#app/components/form/form-workspace.tsx';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import type { WorkflowDocument, WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { containerOf, stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { placeOf } from '#app/features/workflows/editor/step-place.ts';

const CARD = '.flow-card[data-path]';
const ADD = 'a.flow-add';
const STEP_TYPE = 'application/x-quorate-step';
/** As much as the form of the draft takes. */
const MAX_PASTED = 200_000;

/**
 * Makes the picture of a draft editable in place: by keys on its cards, by dragging a card to a place between others, and by copying and pasting
 * steps, also between workflows. All of it is in the outline and the forms as well, where there are no scripts.
 */
export function PictureKeys({ draft, children }: { draft: WorkflowDraft; children: ReactNode }) {
  const { t } = useTranslation('workflows');
  const hydrated = useHydrated();
  const picture = useRef<HTMLDivElement>(null);
  const moves = useMoves(draft, picture);
  return (
    <div ref={picture} {...keysOf(moves)} {...clipboardOf(moves)} {...draggingOf(moves)}>
      {children}
      <p className={`mt-2 text-sm text-muted pointer-coarse:hidden ${withScriptsOnly(hydrated)}`}>{t('keys.hint')}</p>
    </div>
  );
}

type Said = 'moved' | 'duplicated' | 'deleted' | 'cut' | 'copied' | 'pasted';
type Moves = {
  document: WorkflowDocument;
  /** Sends a move as its form does. False: not now, or there is nothing to undo. */
  send(move: Record<string, string>): boolean;
  /** The same for the step of a card, which keeps the focus wherever it goes; a deleted one leaves it to its neighbour. */
  act(path: string, intent: string, said: Said, more?: Record<string, string>): void;
  announce(said: Said, path: string): void;
};

function useMoves({ id: workflow, revision, document, canUndo, canRedo }: WorkflowDraft, picture: RefObject<HTMLElement | null>): Moves {
  const { t } = useTranslation('workflows');
  const { announce } = useAccessibility();
  const submit = useSubmit();
  const workspace = useFormWorkspace();
  const moved = useRef<{ id: string; from: number } | null>(null);
  const isSending = useRef(false);
  useEffect(() => {
    const { id, from } = moved.current ?? { id: '', from: revision };
    if (from === revision) return;
    moved.current = null;
    const cards = picture.current?.querySelectorAll<HTMLElement>(CARD) ?? [];
    [...cards].find((card) => idOf(card.dataset.path ?? '') === id)?.focus();
  }, [revision, picture]);
  const say = (said: Said, path: string) => announce(t(`keys.${said}`, { name: stepAt(document, path)?.name ?? '' }));
  const send = (move: Record<string, string>) => {
    // A move is made on the draft that one sees: while one is under way, another would be refused as outdated.
    if (isSending.current || (move.intent === 'undo' && !canUndo) || (move.intent === 'redo' && !canRedo)) return false;
    isSending.current = true;
    const sent = submit(
      { ...move, revision: String(revision), ...(workspace === null ? {} : { workspace }) },
      { method: 'post', action: href('/dashboard/workflows/:workflow/edit', { workflow }), preventScrollReset: true },
    );
    void sent.finally(() => {
      isSending.current = false;
    });
    return true;
  };
  return {
    document,
    send,
    announce: say,
    act(path, intent, said, more = {}) {
      const next = said === 'deleted' || said === 'cut' ? besideOf(picture.current, path) : path;
      if (!send({ intent, path, ...more })) return;
      moved.current = { id: idOf(next), from: revision };
      say(said, path);
    },
  };
}

function keysOf({ send, act }: Moves) {
  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const path = pathAt(event.target);
      const control = event.ctrlKey || event.metaKey;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const step = control || event.shiftKey ? 0 : direction(event.currentTarget, key);
      if (control && (key === 'z' || key === 'y')) send({ intent: key === 'y' || event.shiftKey ? 'redo' : 'undo' });
      else if (path === null) return;
      else if (step !== 0 && event.altKey) act(path, step > 0 ? 'move-down' : 'move-up', 'moved');
      else if (step !== 0) focusBeside(event.currentTarget, path, step);
      else if (control && key === 'd') act(path, 'duplicate-step', 'duplicated');
      else if (!control && (key === 'Delete' || key === 'Backspace')) act(path, 'delete-step', 'deleted');
      else return;
      event.preventDefault();
    },
  };
}

function clipboardOf({ document, send, act, announce }: Moves) {
  const onCopy = (event: ClipboardEvent): void => {
    const path = pathAt(event.target);
    const step = path === null ? null : stepAt(document, path);
    // Text that is selected is copied as text.
    if (path === null || step === null || window.getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', JSON.stringify(step, null, 2));
    if (event.type === 'cut') act(path, 'delete-step', 'cut');
    else announce('copied', path);
  };
  return {
    onCopy,
    onCut: onCopy,
    onPaste(event: ClipboardEvent): void {
      const path = pathAt(event.target);
      if (path === null) return;
      event.preventDefault();
      const steps = event.clipboardData.getData('text/plain').slice(0, MAX_PASTED);
      const at = String(placeOf(document.steps, path).index + 1);
      if (send({ intent: 'paste-steps', container: containerOf(path), at, steps })) announce('pasted', path);
    },
  };
}

function draggingOf({ act }: Moves) {
  return {
    onDragStart(event: DragEvent): void {
      const path = pathAt(event.target);
      if (path === null) return;
      event.dataTransfer.setData(STEP_TYPE, path);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver(event: DragEvent): void {
      const place = placeAt(event);
      mark(event.currentTarget, place);
      if (place !== null) event.preventDefault();
    },
    onDragEnd: (event: DragEvent) => mark(event.currentTarget, null),
    onDrop(event: DragEvent): void {
      const place = placeAt(event);
      const path = event.dataTransfer.getData(STEP_TYPE);
      mark(event.currentTarget, null);
      if (place === null || path === '') return;
      event.preventDefault();
      const { searchParams } = new URL(place.href);
      act(path, 'move-to', 'moved', { container: searchParams.get('in') ?? '', at: searchParams.get('at') ?? '0' });
    },
  };
}

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const pathAt = (target: EventTarget): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>(CARD)?.dataset.path : null) ?? null;

/** The nearest place between steps, within reach of where something is dragged. */
function placeAt(event: DragEvent): HTMLAnchorElement | null {
  if (!event.dataTransfer.types.includes(STEP_TYPE)) return null;
  const near = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>(ADD)].map((place) => {
    const { x, y, width, height } = place.getBoundingClientRect();
    return { place, distance: Math.hypot(x + width / 2 - event.clientX, y + height / 2 - event.clientY) };
  });
  const [nearest] = near.toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance < 120 ? nearest.place : null;
}

function mark(picture: Element, place: Element | null): void {
  for (const marked of picture.querySelectorAll(`${ADD}[data-over]`)) if (marked !== place) marked.removeAttribute('data-over');
  place?.setAttribute('data-over', '');
}

/** Along the flow: 1, against it: -1; in the direction of writing. */
function direction(picture: Element, key: string): number {
  const forward = getComputedStyle(picture).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === 'ArrowDown' || key === forward) return 1;
  return key === 'ArrowUp' || key === 'ArrowLeft' || key === 'ArrowRight' ? -1 : 0;
}

/** The path of the next card, or of the one before the last. */
function besideOf(picture: Element | null, path: string): string {
  const paths = [...(picture?.querySelectorAll<HTMLElement>(`a${CARD}`) ?? [])].map((card) => card.dataset.path ?? '');
  const others = paths.filter((other) => other !== path && !other.startsWith(`${path}/`));
  return others[Math.min(paths.indexOf(path), others.length - 1)] ?? '';
}

function focusBeside(picture: Element, path: string, step: number): void {
  const cards = [...picture.querySelectorAll<HTMLElement>(`a${CARD}`)];
  cards[cards.findIndex((card) => card.dataset.path === path) + step]?.focus();
}
