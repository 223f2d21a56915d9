import { type FocusEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { choose, chosenPaths, onChosen, toggleChosen } from '#app/features/workflows/editor/picture/chosen-steps.ts';
import { afterFrame } from '#app/features/workflows/editor/picture/in-turns.ts';
import { useMoves } from '#app/features/workflows/editor/picture/moves.ts';
import {
  cardAt,
  focusCard,
  markChosen,
  markStop,
  moveStop,
  pathAt,
  pathsBetween,
} from '#app/features/workflows/editor/picture/picture-cards.ts';
import { clipboardOf, draggingOf, keysOf, type Picking } from '#app/features/workflows/editor/picture/picture-input.ts';
import { PictureMap } from '#app/features/workflows/editor/picture/picture-map.tsx';
import { PictureToolbar } from '#app/features/workflows/editor/picture/picture-toolbar.tsx';
import { PictureView } from '#app/features/workflows/editor/picture/picture-view.tsx';

/**
 * Makes the picture of a draft editable in place: by keys on its cards, by the buttons above it, by dragging a card to a place between others, and by
 * copying and pasting steps, also between workflows. Without scripts the outline and its forms do the same.
 */
export function PictureKeys({ draft, children }: { draft: WorkflowDraft; children: ReactNode }) {
  const { t } = useTranslation('workflows');
  const hydrated = useHydrated();
  const frame = useRef<HTMLDivElement>(null);
  const moves = useMoves(draft, frame);
  const { active, isActive, onFocus } = useActiveCard(draft, frame);
  const [isPicking, setPicking] = useState(false);
  const picking = usePicking(draft.id, frame);
  const chosenWords = useId();
  useEffect(() => {
    const picture = frame.current;
    if (picture === null) return undefined;
    let end: (() => void) | undefined;
    const mark = () => {
      end?.();
      end = markChosen(picture, chosenPaths(draft.id), chosenWords);
    };
    mark();
    const forget = onChosen(mark);
    return () => {
      forget();
      end?.();
    };
  }, [draft, chosenWords]);
  return (
    <div>
      <PictureView document={draft.document} frame={frame} />
      <PictureToolbar
        draft={draft}
        active={active}
        isActive={isActive}
        moves={moves}
        isPicking={isPicking}
        onPick={() => setPicking(!isPicking)}
        onChooseAll={() => picking.choose([...walkSteps(draft.document.steps)].map(({ path }) => path))}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards inside are links, whose keys and clicks come up to it */}
      <div
        ref={frame}
        data-scaled=""
        className="relative"
        data-picking={isPicking || undefined}
        onFocus={onFocus}
        onClickCapture={(event) => {
          const path = pathAt(event.target);
          if (path === null || !(isPicking || event.shiftKey || event.ctrlKey || event.metaKey)) return;
          // The link neither opens the step nor a tab.
          event.preventDefault();
          event.stopPropagation();
          if (event.shiftKey) picking.extend(path);
          else picking.toggle(path);
          focusCard(cardAt(frame.current, path));
        }}
        {...keysOf(moves, picking)}
        {...clipboardOf(moves, picking)}
        {...draggingOf(moves, picking)}
      >
        {children}
        <PictureMap document={draft.document} frame={frame} />
      </div>
      <span id={chosenWords} hidden>
        {t('keys.isChosen')}
      </span>
      <p className={`mt-2 text-sm text-muted pointer-coarse:hidden ${withScriptsOnly(hydrated)}`}>{t('keys.hint')}</p>
    </div>
  );
}

/**
 * The card that was used last, by its path, which is the tab stop of the picture. Not kept as state: an arrow key would draw every button above the
 * picture anew. `isActive`: its step is in the draft.
 */
function useActiveCard(draft: WorkflowDraft, frame: RefObject<HTMLElement | null>) {
  const active = useRef('');
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    if (frame.current !== null) markStop(frame.current, active.current);
    setIsActive(stepAt(draft.document, active.current) !== null);
  }, [draft, frame]);
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    const path = pathAt(target);
    if (path === null || path === active.current) return;
    moveStop(currentTarget, active.current, path);
    active.current = path;
    setIsActive(true);
  };
  return { active, isActive, onFocus };
}

/** Choosing several cards: one by one, or all from the one where it began. */
function usePicking(workflow: string, frame: { current: HTMLElement | null }): Picking {
  const { t } = useTranslation('workflows');
  const { announce } = useAccessibility();
  const from = useRef('');
  const tell = () => {
    const { size } = chosenPaths(workflow);
    afterFrame(() => announce(t('keys.chosen', { number: size })));
  };
  const chooseThese = (paths: Iterable<string>) => {
    choose(workflow, paths);
    tell();
  };
  return {
    choose: chooseThese,
    toggle(path) {
      from.current = path;
      toggleChosen(workflow, path);
      tell();
    },
    begin(path) {
      if (chosenPaths(workflow).size === 0) from.current = path;
    },
    extend: (path) => chooseThese(pathsBetween(frame.current, from.current === '' ? path : from.current, path)),
    meant: (path) => (chosenPaths(workflow).has(path) ? [...chosenPaths(workflow)] : [path]),
    hasAny: () => chosenPaths(workflow).size > 0,
  };
}
