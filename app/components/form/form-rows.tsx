import { type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { controlAttributes, FieldErrors, FieldHint, type FormFieldset } from '#app/components/form/field-parts.tsx';
import { insertRow, ROW_CHANGE, RowChangeContext, removeRow } from '#app/components/form/row-change.ts';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import Plus from '~icons/plus';
import Trash from '~icons/trash';

type Props = {
  /** The list. */
  field: FormFieldset;
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  most: number;
  /** Rows of one control each, which says what it is. */
  compact?: boolean;
  /** The values of a new row. */
  blank: unknown;
  addLabel: string;
  /** Name of a row, by its place from 1. */
  rowLabel: (number: number) => string;
  children: (row: FormFieldset, number: number) => ReactNode;
};

/**
 * Rows that are added and removed by buttons that send the form: with scripts it changes at once, without them the server gives it back
 * changed (`parseForm`). Either way the focus goes to the row that came, or to the list.
 */
export function FormRows({ field, label, hint, optional, most, compact, blank, addLabel, rowLabel, children }: Props) {
  const { t } = useTranslation('inputs');
  const { t: tCommon } = useTranslation('common');
  const named = useNamed();
  const rows = field.getFieldList();
  const { frame, said, onAdd, onRemove, answered } = useRowFocus(field.name, rows, rowLabel);
  return (
    <fieldset
      id={field.id}
      ref={frame}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts this is what brings the reader back to the list
      autoFocus={answered?.kind === 'remove'}
      aria-describedby={controlAttributes(field, hint !== undefined)['aria-describedby']}
      className="grid min-w-0 max-w-measure gap-3"
    >
      <legend className="mb-1.5 font-semibold">
        {label}
        {optional ? <span className="font-normal text-muted"> {tCommon('form.optional')}</span> : null}
      </legend>
      {hint === undefined ? null : <FieldHint field={field}>{hint}</FieldHint>}
      <FieldErrors field={field} />
      {rows.map((row, index) => (
        <Row
          key={row.key}
          list={field.name}
          label={rowLabel(index + 1)}
          index={index}
          compact={compact === true}
          isNew={answered?.kind === 'insert' && index === rows.length - 1}
          removeLabel={named(t('remove'), `${label}, ${rowLabel(index + 1)}`)}
          onRemove={() => onRemove(index)}
        >
          {children(row, index + 1)}
        </Row>
      ))}
      <p role="status" className="sr-only">
        {said}
      </p>
      {rows.length < most ? (
        <Button size="small" name={ROW_CHANGE} value={insertRow(field.name, blank)} onClick={onAdd} data-add-row={field.name}>
          <Plus aria-hidden="true" />
          {addLabel}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t('most', { count: most })}</p>
      )}
    </fieldset>
  );
}

function Row({
  list,
  label,
  index,
  compact,
  isNew,
  removeLabel,
  onRemove,
  children,
}: {
  list: string;
  label: string;
  index: number;
  compact: boolean;
  isNew: boolean;
  removeLabel: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('inputs');
  return (
    <fieldset
      data-row={list}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts this is what brings the reader to the row that was added
      autoFocus={isNew}
      className={compact ? 'min-w-0' : 'grid min-w-0 gap-4 rounded-lg border border-line p-4'}
    >
      <legend className={compact ? 'sr-only' : 'px-1 font-semibold'}>{label}</legend>
      <div className={compact ? 'flex items-end gap-2 *:first:min-w-0 *:first:grow' : 'grid gap-4'}>
        {children}
        <Button
          size={compact ? 'regular' : 'small'}
          variant="quiet"
          name={ROW_CHANGE}
          value={removeRow(list, index)}
          aria-label={removeLabel}
          onClick={onRemove}
        >
          <Trash aria-hidden="true" />
          {t('remove')}
        </Button>
      </div>
    </fieldset>
  );
}

/** Moves the focus after rows changed, and says what happened. `answered`: the change that the server made, on the page that it answered. */
function useRowFocus(name: string, rows: readonly FormFieldset[], rowLabel: (number: number) => string) {
  const { t } = useTranslation('inputs');
  const frame = useRef<HTMLFieldSetElement>(null);
  const due = useRef<number | null>(null);
  const change = use(RowChangeContext);
  const hydrated = useHydrated();
  const answered = !hydrated && change?.name === name ? change : null;
  const first =
    answered === null
      ? ''
      : answered.kind === 'insert'
        ? t('added', { row: rowLabel(rows.length) })
        : t('removed', { row: rowLabel(answered.index + 1) });
  const [said, setSaid] = useState(first);
  const keys = rows.map((row) => row.key).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when the rows are others
  useEffect(() => {
    if (due.current === null) return;
    const own = [...(frame.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter((row) => row.dataset.row === name);
    const row = own[Math.min(due.current, own.length - 1)];
    due.current = null;
    (row?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea') ?? frame.current)?.focus();
  }, [keys]);

  const onAdd = () => {
    due.current = rows.length;
    setSaid(t('added', { row: rowLabel(rows.length + 1) }));
  };
  const onRemove = (index: number) => {
    due.current = index;
    setSaid(t('removed', { row: rowLabel(index + 1) }));
  };
  return { frame, said, onAdd, onRemove, answered };
}
