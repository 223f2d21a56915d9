import type { TFunction } from 'i18next';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { href, useSubmit } from 'react-router';
import { useFormWorkspace } from '#app/components/form/form-workspace.tsx';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { duplicateSteps, moveSteps, moveStepsTo, outermostPaths, removeSteps } from '#app/domain/workflows/edit/several-steps.ts';
import { readPlace } from '#app/domain/workflows/flow-layout.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowDocument, WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { choose, chosenPaths } from '#app/features/workflows/editor/picture/chosen-steps.ts';
import { useDraftTurns } from '#app/features/workflows/editor/picture/draft-turns.ts';
import { cardAt, focusCard, idOf, markMoving, pathAt, pathBeside } from '#app/features/workflows/editor/picture/picture-cards.ts';
import { placeOf } from '#app/features/workflows/editor/step-place.ts';

export type Said = 'moved' | 'duplicated' | 'deleted' | 'cut' | 'copied' | 'pasted';
/** A move of the draft, as its form sends it. `paths`: the steps that it moves. `place`: by its name. */
export type Move = { intent: string; said: Said; paths: readonly string[]; place?: string; steps?: string };
export type Moves = {
  draft: WorkflowDraft;
  undo(direction: 'undo' | 'redo'): void;
  act(move: Move): void;
  announce(said: Said, paths: readonly string[]): void;
};

/** A move that was sent: by its effect on the draft it is announced, and the focus follows it. */
type Sent = {
  said: Said | null;
  ids: readonly string[];
  names: readonly string[];
  known: ReadonlySet<string>;
  from: number;
  focus: string | null;
};

/**
 * Performs moves on the draft that is shown, one after the other: a further one waits for the revision that the one before makes. Steps are kept by id,
 * since a move changes paths.
 */
export function useMoves(draft: WorkflowDraft, picture: RefObject<HTMLElement | null>): Moves {
  const { t } = useTranslation('workflows');
  const { announce } = useAccessibility();
  const submit = useSubmit();
  const { turns, state } = useDraftTurns(draft.id);
  const workspace = useFormWorkspace();
  const { id: workflow, revision } = draft;
  const latest = useRef(draft);
  const sent = useRef<Sent | null>(null);

  const say = (said: Said, names: readonly string[], ids: readonly string[]) =>
    announce(wordsFor(t, latest.current.document, said, names, ids));

  const tell = ({ said, ids, names, known, focus }: Sent) => {
    const { document } = latest.current;
    const copies = said === 'duplicated' || said === 'pasted';
    const added = [...walkSteps(document.steps)].flatMap(({ step, path }) => (known.has(step.id) ? [] : path));
    const copied = copies ? outermostPaths(document, added) : [];
    if (copied.length > 1) choose(workflow, copied);
    if (said !== null) say(said, said === 'pasted' ? namesOf(document, copied) : names, copies ? copied.map(idOf) : ids);
    if (focus === null) return;
    const next = copied[0] ?? pathOfId(document, focus) ?? pathBeside(picture.current, []);
    focusCard(cardAt(picture.current, next));
  };

  const post = (fields: Record<string, string>, paths: readonly string[], move: Omit<Sent, 'known' | 'from'>) => {
    const { revision: seen, document } = latest.current;
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, revision: String(seen), ...(workspace !== null && { workspace }) }))
      form.append(name, value);
    for (const path of paths) form.append('path', path);
    turns.sent();
    sent.current = { ...move, from: seen, known: new Set([...walkSteps(document.steps)].map(({ step }) => step.id)) };
    void submit(form, { method: 'post', action: href('/dashboard/workflows/:workflow/edit', { workflow }), preventScrollReset: true });
  };
  const act = ({ intent, said, paths, place, steps }: Move) => {
    const ids = paths.map(idOf);
    const follows = focusedId(picture.current) !== null;
    markMoving(picture.current, paths);
    turns.push(() => {
      const { document } = latest.current;
      const now = pathsOfIds(document, ids);
      if (steps === undefined && applied(document, intent, now, place) === null) {
        announce(t('keys.nowhere'));
        markMoving(picture.current, []);
        return;
      }
      const gone = said === 'deleted' || said === 'cut';
      const focus = gone ? pathBeside(picture.current, now) : (now[0] ?? '');
      const names = steps === undefined ? namesOf(document, now) : [];
      post({ intent, ...(place !== undefined && { place }), ...(steps !== undefined && { steps }) }, steps === undefined ? now : [], {
        said,
        ids: now.map(idOf),
        names,
        focus: follows ? idOf(focus) : null,
      });
    });
  };

  const undo = (direction: 'undo' | 'redo') =>
    turns.push(() => {
      const { canUndo, canRedo } = latest.current;
      if (direction === 'undo' ? canUndo : canRedo)
        post({ intent: direction }, [], { said: null, ids: [], names: [], focus: focusedId(picture.current) });
    });

  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when an answer is shown, and only then
  useEffect(() => {
    const made = sent.current;
    if (state !== 'idle') return;
    keepChosen(draft);
    markMoving(picture.current, []);
    if (made === null) return;
    sent.current = null;
    turns.answered(made.from === revision);
    if (made.from !== revision) tell(made);
    turns.go();
  }, [revision, state]);

  return { draft, undo, act, announce: (said, paths) => say(said, namesOf(draft.document, paths), paths.map(idOf)) };
}

function wordsFor(
  t: TFunction<'workflows'>,
  document: WorkflowDocument,
  said: Said,
  names: readonly string[],
  ids: readonly string[],
): string {
  if (names.length !== 1) return t(`keys.several.${said}`, { number: names.length });
  const path = pathOfId(document, ids[0] ?? '');
  const place = path === undefined ? { index: 0, count: 0 } : placeOf(document.steps, path);
  return t(`keys.one.${said}`, { name: names[0] ?? '', place: place.index + 1, total: place.count });
}

/** The id of the step whose card has the focus; null: the focus is elsewhere. */
function focusedId(picture: HTMLElement | null): string | null {
  const path = picture?.contains(document.activeElement) && document.activeElement !== null ? pathAt(document.activeElement) : null;
  return path === null ? null : idOf(path);
}

/** A step that was moved is still chosen, at its new path; a deleted one is not. */
function keepChosen({ id, document }: WorkflowDraft): void {
  const before = [...chosenPaths(id)];
  if (before.length === 0) return;
  choose(
    id,
    before.flatMap((path) => (stepAt(document, path) === null ? (pathOfId(document, idOf(path)) ?? []) : path)),
  );
}

/** The same as the server makes of it; null: it makes no sense there. */
function applied(document: WorkflowDocument, intent: string, paths: readonly string[], place = ''): WorkflowDocument | null {
  if (intent === 'move-up' || intent === 'move-down') return moveSteps(document, paths, intent === 'move-up' ? 'up' : 'down');
  if (intent === 'move-to') return moveStepsTo(document, paths, ...readPlace(place));
  return intent === 'duplicate-step' ? duplicateSteps(document, paths) : removeSteps(document, paths);
}

const namesOf = (document: WorkflowDocument, paths: readonly string[]): string[] => paths.map((path) => stepAt(document, path)?.name ?? '');

const pathsOfIds = (document: WorkflowDocument, ids: readonly string[]): string[] =>
  outermostPaths(
    document,
    ids.flatMap((id) => pathOfId(document, id) ?? []),
  );

const pathOfId = ({ steps }: WorkflowDocument, id: string): string | undefined =>
  [...walkSteps(steps)].find(({ step }) => step.id === id)?.path;
