import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import { CheckboxField, SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { fieldTypeLabels } from '#app/features/workflows/steps/form/field-type-labels.ts';

type Parts = Record<'title' | 'name' | 'type' | 'required' | 'options' | 'help', FormField>;

type Row = { key: string | undefined; getFieldset(): Parts };

/**
 * One field of a form that an author writes. No component: the form's summary of errors finds the labels of fields that are elements of its own.
 * `number`: its place, from 1. `within`: where expressions find its value, such as `input`.
 */
export function fieldRow(t: TFunction<'workflows'>, row: Row, number: number, within: string): ReactElement {
  const parts = row.getFieldset();
  return (
    <fieldset key={row.key} className="grid max-w-measure gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 font-semibold">{t('input.field', { number })}</legend>
      <TextField field={parts.title} label={t('input.title')} />
      <TextField field={parts.name} label={t('input.name')} hint={t('input.nameHint', { expression: `${within}.short_name` })} code />
      <SelectField
        field={parts.type}
        label={t('input.type')}
        options={Object.entries(fieldTypeLabels(t)).map(([value, label]) => ({ value, label }))}
      />
      <CheckboxField field={parts.required} label={t('input.required')} />
      <TextAreaField field={parts.options} label={t('input.options')} hint={t('input.optionsHint')} rows={3} optional />
      <TextField field={parts.help} label={t('input.help')} optional />
    </fieldset>
  );
}
