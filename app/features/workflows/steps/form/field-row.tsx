import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckboxField, SelectField } from '#app/components/form/choice-fields.tsx';
import { type FormFieldset, partOf } from '#app/components/form/field-parts.tsx';
import { FormRows } from '#app/components/form/form-rows.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { FIELD_TYPES, FIELDS_MAX, FIELDS_MAX_DEPTH, ITEM_TYPES } from '#app/domain/workflows/fields/field-types.ts';
import { EMPTY_ROW } from '#app/features/workflows/steps/form/field-rows.ts';
import { fieldTypeLabels } from '#app/features/workflows/steps/form/field-type-labels.ts';

/**
 * Parts of a row that mean nothing for its type are hidden by the style sheet, which reads the row's own selects: it does so without scripts too.
 * Where a browser cannot, they are there.
 */
const HIDDEN = 'supports-[selector(:has(a))]:hidden';
const IF_LIST = `${HIDDEN} [.field-type:has(option[value=list]:checked)~&]:grid!`;
const IF_OPTIONS = `${HIDDEN} [.field-type:has(option[value=choice]:checked,option[value=money]:checked)~&]:grid! [.field-type:has(option[value=list]:checked)~.field-of:has(option[value=choice]:checked,option[value=money]:checked)~&]:grid!`;
const IF_GROUP = `${HIDDEN} [.field-type:has(option[value=group]:checked)~&]:grid! [.field-type:has(option[value=list]:checked)~.field-of:has(option[value=group]:checked)~&]:grid!`;

type Props = {
  field: FormFieldset;
  label: string;
  hint?: string;
  most?: number;
  /** Where expressions find the values, such as `input`. */
  within: string;
  /** How deep these fields stand in others. */
  depth?: number;
};

/** The fields of a form that an author writes: of a run's input, of a form for a person, or of a group among them. */
export function FieldRows({ field, label, hint, most = FIELDS_MAX, within, depth = 1 }: Props) {
  const { t } = useTranslation('workflows');
  return (
    <FormRows
      field={field}
      label={label}
      {...(hint === undefined ? {} : { hint })}
      most={most}
      blank={EMPTY_ROW}
      addLabel={t('input.add')}
      rowLabel={(number) => t('input.field', { number })}
    >
      {(row) => <FieldRow row={row} within={within} depth={depth} t={t} />}
    </FormRows>
  );
}

function FieldRow({ row, within, depth, t }: { row: FormFieldset; within: string; depth: number; t: TFunction<'workflows'> }): ReactNode {
  const labels = fieldTypeLabels(t);
  // Nothing stands in the deepest group but plain fields and lists of them.
  const holds = (type: (typeof FIELD_TYPES)[number]) => depth < FIELDS_MAX_DEPTH || type !== 'group';
  const optionsOf = (types: readonly (typeof FIELD_TYPES)[number][]) =>
    types.filter(holds).map((value) => ({ value, label: labels[value] }));
  const fields = row.getFieldset().fields;
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <TextField field={partOf(row, 'title')} label={t('input.title')} />
        <TextField
          field={partOf(row, 'name')}
          label={t('input.name')}
          hint={t('input.nameHint', { expression: `${within}.short_name` })}
          code
        />
      </div>
      <div className="field-type">
        <SelectField field={partOf(row, 'type')} label={t('input.type')} options={optionsOf(FIELD_TYPES)} />
      </div>
      <div className={`field-of ${IF_LIST}`}>
        <SelectField field={partOf(row, 'of')} label={t('input.of')} options={optionsOf(ITEM_TYPES)} />
      </div>
      <div className={IF_OPTIONS}>
        <TextAreaField field={partOf(row, 'options')} label={t('input.options')} hint={t('input.optionsHint')} rows={3} optional />
      </div>
      <CheckboxField field={partOf(row, 'required')} label={t('input.required')} />
      <TextField field={partOf(row, 'help')} label={t('input.help')} optional />
      {depth < FIELDS_MAX_DEPTH && fields !== undefined ? (
        <div className={IF_GROUP}>
          <FieldRows field={fields} label={t('input.members')} within={`${within}…`} depth={depth + 1} />
        </div>
      ) : null}
    </>
  );
}

/** Labels of such controls in the form's summary of errors: `fields[1].fields[0].name` → 'Field 2: Field 1: Short name'. */
export function fieldRowLabels(names: readonly string[], t: TFunction<'workflows'>, tInputs: TFunction<'inputs'>): Record<string, string> {
  const parts: Readonly<Record<string, string>> = {
    title: t('input.title'),
    name: t('input.name'),
    type: t('input.type'),
    of: t('input.of'),
    options: t('input.options'),
    help: t('input.help'),
  };
  return Object.fromEntries(
    names.flatMap((name) => {
      const rows = [...name.matchAll(/fields\[(\d+)\]/g)].map(([, index]) => t('input.field', { number: Number(index) + 1 }));
      const part = parts[name.slice(name.lastIndexOf('.') + 1)];
      if (rows.length === 0 || part === undefined) return [];
      return [[name, [...rows, part].reduce((field, inner) => tInputs('part', { field, part: inner }))]];
    }),
  );
}
