import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { outermostPaths } from '#app/domain/workflows/edit/several-steps.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { choose, useChosenPaths } from '#app/features/workflows/editor/picture/chosen-steps.ts';
import type { Moves } from '#app/features/workflows/editor/picture/moves.ts';
import { MAX_PASTED } from '#app/features/workflows/editor/picture/pasted-steps.ts';
import { copyOf, placeBehind } from '#app/features/workflows/editor/picture/picture-input.ts';
import ClipboardPaste from '~icons/clipboard-paste';
import Copy from '~icons/copy';
import CopyPlus from '~icons/copy-plus';
import MoveLeft from '~icons/move-left';
import MoveRight from '~icons/move-right';
import Scissors from '~icons/scissors';
import SquareCheck from '~icons/square-check';
import Trash2 from '~icons/trash';
import X from '~icons/x';

type Props = {
  draft: WorkflowDraft;
  /** The path of the card that was used last. */
  active: RefObject<string>;
  /** Its step is in the draft. */
  isActive: boolean;
  moves: Moves;
  isPicking: boolean;
  onPick: () => void;
  onChooseAll: () => void;
};

/** Steps copied by a button, for where the browser lets no page read the clipboard. */
let lastCopied = '';

/** A button for each key of the picture, for the steps that are chosen, or else for the one whose card was used last. */
export function PictureToolbar({ draft, active, isActive, moves, isPicking, onPick, onChooseAll }: Props) {
  const { t } = useTranslation('workflows');
  const hydrated = useHydrated();
  const { announce } = useAccessibility();
  const chosen = useChosenPaths(draft.id);
  const meant = () => outermostPaths(draft.document, chosen.size > 0 ? [...chosen] : [active.current]);
  const act = (intent: string, said: 'moved' | 'duplicated' | 'deleted') => () => moves.act({ intent, said, paths: meant() });
  const copy = (said: 'copied' | 'cut') => async () => {
    const paths = meant();
    lastCopied = copyOf(draft, paths);
    // Kept above where the browser refuses.
    await navigator.clipboard?.writeText(lastCopied).catch(() => undefined);
    if (said === 'cut') moves.act({ intent: 'delete-step', said, paths });
    else moves.announce(said, paths);
  };
  const paste = async () => {
    const last = meant().at(-1);
    const steps = ((await navigator.clipboard?.readText().catch(() => undefined)) || lastCopied).slice(0, MAX_PASTED);
    if (steps.trim() === '' || last === undefined) announce(t('keys.nothingCopied'));
    else moves.act({ intent: 'paste-steps', said: 'pasted', paths: [last], place: placeBehind(draft, last), steps });
  };
  const none = chosen.size === 0 && !isActive;
  return (
    <fieldset className={`mb-3 flex flex-wrap items-center gap-1 ${withScriptsOnly(hydrated)}`}>
      <legend className="sr-only">{t('keys.toolbar')}</legend>
      <Button
        type="button"
        size="small"
        variant={isPicking ? 'primary' : 'secondary'}
        aria-pressed={isPicking}
        onClick={onPick}
        title={t('keys.do.pickHint')}
      >
        <SquareCheck aria-hidden="true" />
        {t('keys.do.pick')}
      </Button>
      <Button type="button" size="small" variant="quiet" onClick={onChooseAll}>
        {t('keys.do.all')}
      </Button>
      <span className="mx-1 h-6 border-s border-line" />
      <Tool label={t('keys.do.back')} none={none} onClick={act('move-up', 'moved')}>
        <MoveLeft aria-hidden="true" className="rtl:-scale-x-100" />
      </Tool>
      <Tool label={t('keys.do.forward')} none={none} onClick={act('move-down', 'moved')}>
        <MoveRight aria-hidden="true" className="rtl:-scale-x-100" />
      </Tool>
      <Tool label={t('keys.do.duplicate')} none={none} onClick={act('duplicate-step', 'duplicated')}>
        <CopyPlus aria-hidden="true" />
      </Tool>
      <Tool label={t('keys.do.copy')} none={none} onClick={copy('copied')}>
        <Copy aria-hidden="true" />
      </Tool>
      <Tool label={t('keys.do.cut')} none={none} onClick={copy('cut')}>
        <Scissors aria-hidden="true" />
      </Tool>
      <Tool label={t('keys.do.paste')} none={none} onClick={paste}>
        <ClipboardPaste aria-hidden="true" />
      </Tool>
      <Tool label={t('keys.do.delete')} none={none} onClick={act('delete-step', 'deleted')}>
        <Trash2 aria-hidden="true" />
      </Tool>
      {chosen.size > 0 && (
        <span className="ms-2 flex items-center gap-1 text-sm">
          {t('keys.chosen', { number: chosen.size })}
          <Tool label={t('keys.do.none')} none={false} onClick={() => choose(draft.id, [])}>
            <X aria-hidden="true" />
          </Tool>
        </span>
      )}
    </fieldset>
  );
}

function Tool({ label, none, onClick, children }: { label: string; none: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <Button
      type="button"
      variant="quiet"
      size="small"
      title={label}
      aria-label={label}
      // It stays where it was in the order of the keyboard while no step is chosen.
      aria-disabled={none || undefined}
      onClick={none ? undefined : onClick}
    >
      {children}
    </Button>
  );
}
