import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { type Completion, completionAt, type Suggestion } from '#app/domain/workflows/mappings/completion.ts';
import {
  type ExpressionField,
  expressionUse,
  replaceText,
  useExpressionField,
} from '#app/features/workflows/editor/expressions/expression-field.ts';
import type { KnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';
import { fieldTypeLabels } from '#app/features/workflows/steps/form/field-type-labels.ts';

/** `active`: the suggestion that the arrow keys have come to; -1: none yet, and Enter is the field's own. */
type Open = Completion & { active: number; place: { top: number; left: number; width: number } };
const ANNOUNCE_MS = 500;

/**
 * With scripts: suggestions below the expression that is being written. The focus stays in the field, which keeps its role of a text field and names
 * the list and the suggestion that is active. Stands before the fields that it serves: from there the place of the list is measured.
 */
export function ExpressionCompletion({ known }: { known: KnownData }) {
  const { t } = useTranslation('workflows');
  const names = useMemo(
    () => known.groups.flatMap(({ values, name }) => values.map((value) => ({ ...value, title: titleOf(value, name) }))),
    [known],
  );
  const id = useId();
  const origin = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const field = useExpressionField();
  useAnnouncedCount(open?.suggestions.length ?? 0);

  const suggest = useEffectEvent((on: ExpressionField) => {
    const found = completionAt(on.value, on.selectionStart ?? on.value.length, expressionUse(on), names);
    setOpen(found === null || origin.current === null ? null : { ...found, active: -1, place: placeBelow(on, origin.current) });
  });
  const accept = useEffectEvent((on: ExpressionField, { from, to }: Completion, { text, takes }: Suggestion) => {
    replaceText(on, from, to, takes === null ? text : `${text}()`);
    // The cursor stands where the first argument goes.
    if (takes !== null && takes !== '') on.setSelectionRange(from + text.length + 1, from + text.length + 1);
    setOpen(null);
  });
  const press = useEffectEvent((event: KeyboardEvent, on: ExpressionField) => {
    if (event.isComposing) return;
    if (event.key === ' ' && event.ctrlKey) suggest(on);
    else if (open === null) return;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setOpen({ ...open, active: nextOf(open, event.key === 'ArrowDown' ? 1 : -1) });
    else if (event.key === 'Escape') {
      setOpen(null);
      event.stopPropagation();
    } else if (event.key === 'Enter' && open.suggestions[open.active] !== undefined)
      accept(on, open, open.suggestions[open.active] as Suggestion);
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    if (field === null) return;
    const typed = () => suggest(field);
    const pressed = (event: Event) => press(event as KeyboardEvent, field);
    const left = () => setOpen(null);
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-haspopup', 'listbox');
    field.addEventListener('input', typed);
    field.addEventListener('keydown', pressed);
    field.addEventListener('blur', left);
    return () => {
      field.removeEventListener('input', typed);
      field.removeEventListener('keydown', pressed);
      field.removeEventListener('blur', left);
    };
  }, [field]);

  const active = open === null || open.active < 0 ? null : `${id}-${open.active}`;
  useEffect(() => {
    if (field === null) return;
    setOrRemove(field, 'aria-controls', open === null ? null : id);
    setOrRemove(field, 'aria-activedescendant', active);
    if (active !== null) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [field, open, active, id]);

  return (
    <div ref={origin} className="relative">
      {open !== null && field !== null && (
        <div
          id={id}
          role="listbox"
          aria-label={t('known.suggestions')}
          style={open.place}
          className="absolute z-20 max-h-64 overflow-y-auto rounded-md border border-edge bg-raised p-1 shadow-lg"
        >
          {open.suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: the field names it as its active descendant
            <div
              key={suggestion.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === open.active}
              className="min-h-9 cursor-pointer rounded-sm px-2 py-1.5 hover:bg-accent-soft aria-selected:bg-accent-soft aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => accept(field, open, suggestion)}
            >
              <SuggestionWords {...suggestion} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function SuggestionWords({ text, title, type, takes }: Suggestion) {
  const { t } = useTranslation('workflows');
  return (
    <>
      <code dir="ltr" className="me-1 text-sm wrap-anywhere">
        {text}
        {takes !== null && <span className="text-muted">({takes})</span>}
      </code>{' '}
      <span className="text-sm text-muted">
        {title !== '' && <bdi>{revealedText(title)}</bdi>}
        {title !== '' && type !== null && ' · '}
        {type !== null && fieldTypeLabels(t)[type]}
      </span>
    </>
  );
}

/** The output of a step has no title of its own: it has the name of the step. */
const titleOf = ({ title, at }: KnownData['groups'][number]['values'][number], group: string | undefined): string =>
  title === '' && at.length === 2 && group !== undefined ? group : title;

function placeBelow(field: ExpressionField, origin: HTMLElement): Open['place'] {
  const { left, bottom, width } = field.getBoundingClientRect();
  const from = origin.getBoundingClientRect();
  return { top: bottom - from.top + 4, left: left - from.left, width };
}

/** From the field itself, before the first, to the last and back. */
function nextOf({ active, suggestions }: Open, by: 1 | -1): number {
  const places = suggestions.length + 1;
  return ((active + 1 + by + places) % places) - 1;
}

function setOrRemove(field: ExpressionField, name: string, value: string | null): void {
  if (value === null) field.removeAttribute(name);
  else field.setAttribute(name, value);
}

/** Says how many suggestions there are once one pauses in typing. */
function useAnnouncedCount(count: number): void {
  const { t } = useTranslation('workflows');
  const { announce } = useAccessibility();
  const tell = useEffectEvent(() => announce(t('known.suggested', { number: count })));
  useEffect(() => {
    if (count === 0) return;
    const timer = window.setTimeout(tell, ANNOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [count]);
}
