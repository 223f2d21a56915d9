import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import { CheckboxField, SelectField } from '#app/components/form/choice-fields.tsx';
import { DateTimeField } from '#app/components/form/date-time-field.tsx';
import type { FormFieldset } from '#app/components/form/field-parts.tsx';
import { MoneyField } from '#app/components/form/money-field.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { currenciesOf } from '#app/domain/workflows/fields/field-rules.ts';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

type Common = { key: string; field: FormFieldset; label: string; optional?: true; hint?: string };
type Draw = (common: Common, input: InputField, choose: string) => ReactElement;

/**
 * The fields that an author has written, for a form of the schema `inputFieldShape`. No component: the form's summary of errors finds the labels
 * of fields that are elements of its own. `choose`: what a choice shows before anything is chosen.
 */
export function inputFields(inputs: readonly InputField[], fields: Partial<Record<string, FormFieldset>>, choose: string): ReactElement[] {
  return inputs.flatMap((input) => {
    const field = fields[input.name];
    if (field === undefined) return [];
    const common: Common = {
      key: input.name,
      field,
      label: revealedText(input.title),
      ...(input.required ? {} : { optional: true }),
      ...(input.help === '' ? {} : { hint: revealedText(input.help) }),
    };
    return [DRAWN[input.type](common, input, choose)];
  });
}

const DRAWN = {
  text: ({ key, ...common }) => <TextField key={key} {...common} autoComplete="off" />,
  longtext: ({ key, ...common }) => <TextAreaField key={key} {...common} rows={8} />,
  number: ({ key, ...common }) => <NumberField key={key} {...common} />,
  boolean: ({ key, optional: _, ...common }) => <CheckboxField key={key} {...common} />,
  choice: ({ key, ...common }, input, choose) => {
    const options = visibleOptions(input).map((option) => ({ value: option, label: option }));
    return <SelectField key={key} {...common} placeholder={choose} options={options} />;
  },
  date: ({ key, ...common }) => <TextField key={key} {...common} type="date" />,
  time: ({ key, ...common }) => <TextField key={key} {...common} type="time" />,
  datetime: ({ key, ...common }, { required }) => <DateTimeField key={key} {...common} required={required} />,
  email: ({ key, ...common }) => <TextField key={key} {...common} type="email" />,
  money: ({ key, ...common }, input, choose) => (
    <MoneyField key={key} {...common} required={input.required} currencies={currenciesOf(input)} choose={choose} />
  ),
} as const satisfies Record<FieldType, Draw>;

/** Labels of the controls inside such fields, for the form's summary of errors: `total.amount` → 'Total: Amount'. */
export function inputPartLabels(inputs: readonly InputField[], t: TFunction<'inputs'>): Record<string, string> {
  const within = (title: string, part: string) => t('part', { field: revealedText(title), part });
  const labels = inputs.flatMap(({ name, title, type }): [string, string][] => {
    if (type === 'datetime') return [[`${name}.local`, revealedText(title)]];
    if (type !== 'money') return [];
    return [
      [`${name}.amount`, within(title, t('amount'))],
      [`${name}.currency`, within(title, t('currency'))],
    ];
  });
  return Object.fromEntries(labels);
}
