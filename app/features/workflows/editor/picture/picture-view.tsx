import { type RefObject, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { STEP_PRESENTATIONS, stepTarget } from '#app/components/drawing/step-presentation.ts';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { cardAt, focusCard, markFound } from '#app/features/workflows/editor/picture/picture-cards.ts';
import { usePictureScale } from '#app/features/workflows/editor/picture/picture-scale.ts';
import ChevronDown from '~icons/chevron-down';
import ChevronUp from '~icons/chevron-up';
import Maximize from '~icons/maximize';
import ZoomIn from '~icons/zoom-in';
import ZoomOut from '~icons/zoom-out';

type Props = { document: WorkflowDocument; frame: RefObject<HTMLElement | null> };

/** Finding a step of the picture, and how large it is shown. */
export function PictureView({ document, frame }: Props) {
  const { t } = useTranslation('workflows');
  const hydrated = useHydrated();
  const format = useFormats();
  const { scale, larger, smaller, fit } = usePictureScale(frame);
  return (
    <div className={`mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 ${withScriptsOnly(hydrated)}`}>
      <FindStep document={document} frame={frame} />
      <fieldset className="flex items-center gap-1">
        <legend className="sr-only">{t('view.size')}</legend>
        <Button type="button" variant="quiet" size="small" onClick={smaller} aria-label={t('view.smaller')} title={t('view.smaller')}>
          <ZoomOut aria-hidden="true" />
        </Button>
        <output aria-label={t('view.size')} className="min-w-12 text-center text-sm tabular-nums">
          {format.percent(Math.round(scale * 100) / 100)}
        </output>
        <Button type="button" variant="quiet" size="small" onClick={larger} aria-label={t('view.larger')} title={t('view.larger')}>
          <ZoomIn aria-hidden="true" />
        </Button>
        <Button type="button" variant="quiet" size="small" onClick={fit}>
          <Maximize aria-hidden="true" />
          {t('view.fit')}
        </Button>
      </fieldset>
    </div>
  );
}

/** Finds steps by their names, their kinds and what they call. The focus stays in the field; the arrow down goes to the card. */
function FindStep({ document, frame }: Props) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  const { reduceMotion } = useAccessibility().settings;
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const found = (words: string): { path: string; name: string }[] =>
    plain(words) === ''
      ? []
      : [...walkSteps(document.steps)].flatMap(({ step, path }) => {
          const text = [step.name, STEP_PRESENTATIONS[step.kind].kind(flow.t), stepTarget(step, flow.t), step.id].join('\n');
          return plain(text).includes(plain(words)) ? { path, name: step.name } : [];
        });
  const go = (words: string, index: number) => {
    const results = found(words);
    const next = results.length === 0 ? 0 : (index + results.length) % results.length;
    setQuery(words);
    setAt(next);
    const card = cardAt(frame.current, results[next]?.path ?? '');
    markFound(frame.current, card);
    // In the next frame: what was typed is shown before the page is laid out for it.
    requestAnimationFrame(() =>
      card?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: reduceMotion ? 'instant' : 'smooth' }),
    );
  };
  const results = found(query);
  const one = results[Math.min(at, results.length - 1)];
  return (
    <search className="flex flex-wrap items-center gap-1">
      <label htmlFor={id} className="sr-only">
        {t('view.find')}
      </label>
      <input
        id={id}
        type="search"
        value={query}
        placeholder={t('view.find')}
        autoComplete="off"
        maxLength={200}
        className="min-h-8 w-56 rounded-md border border-edge bg-surface px-2 text-sm"
        onChange={(event) => go(event.target.value, 0)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(query, at + (event.shiftKey ? -1 : 1));
          else if (event.key === 'ArrowDown' && one !== undefined) focusCard(cardAt(frame.current, one.path));
          else return;
          event.preventDefault();
        }}
      />
      <Button
        type="button"
        variant="quiet"
        size="small"
        aria-label={t('view.previous')}
        title={t('view.previous')}
        onClick={() => go(query, at - 1)}
      >
        <ChevronUp aria-hidden="true" />
      </Button>
      <Button
        type="button"
        variant="quiet"
        size="small"
        aria-label={t('view.next')}
        title={t('view.next')}
        onClick={() => go(query, at + 1)}
      >
        <ChevronDown aria-hidden="true" />
      </Button>
      <span role="status" className="max-w-72 truncate text-sm text-muted">
        {query.trim() !== '' &&
          (one === undefined
            ? t('view.none')
            : t('view.found', { number: Math.min(at, results.length - 1) + 1, total: results.length, name: one.name }))}
      </span>
    </search>
  );
}

/** Without case, accents and blanks around. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
