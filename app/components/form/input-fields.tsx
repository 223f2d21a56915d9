import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import { CheckboxField, SelectField } from '#app/components/form/choice-fields.tsx';
import { DateField } from '#app/components/form/dates/date-field.tsx';
import { DateTimeField } from '#app/components/form/dates/date-time-field.tsx';
import { type FormFieldset, GroupFrame } from '#app/components/form/field-parts.tsx';
import { SeveralFilesHint, UploadField } from '#app/components/form/files/upload-field.tsx';
import { FormRows } from '#app/components/form/form-rows.tsx';
import { emptyEntry } from '#app/components/form/input-field-shape.ts';
import { MoneyField } from '#app/components/form/money-field.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { valueField } from '#app/domain/workflows/fields/check-fields.ts';
import { currenciesOf } from '#app/domain/workflows/fields/field-rules.ts';
import { type FieldType, LIST_MAX } from '#app/domain/workflows/fields/field-types.ts';
import { entryField, type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

type Common = { key: string; field: FormFieldset; label: string; optional?: true; hint?: string };
type Words = { choose: string; t: TFunction<'inputs'> };
type Draw = (common: Common, input: InputField, words: Words) => ReactElement;

/**
 * The fields that an author has written, for a form of the schema `inputFieldShape`. No component: the form's summary of errors finds the labels
 * of fields that are elements of its own. `choose`: what a choice shows before anything is chosen.
 */
export function inputFields(
  inputs: readonly InputField[],
  fields: Partial<Record<string, FormFieldset>>,
  choose: string,
  t: TFunction<'inputs'>,
): ReactElement[] {
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
    return [draw(common, input, { choose, t })];
  });
}

const draw: Draw = (common, input, words) => DRAWN[input.type](common, input, words);

const DRAWN = {
  text: ({ key, ...common }) => <TextField key={key} {...common} autoComplete="off" />,
  longtext: ({ key, ...common }) => <TextAreaField key={key} {...common} rows={8} />,
  number: ({ key, ...common }) => <NumberField key={key} {...common} />,
  boolean: ({ key, optional: _, ...common }) => <CheckboxField key={key} {...common} />,
  choice: ({ key, ...common }, input, { choose }) => {
    const options = visibleOptions(input).map((option) => ({ value: option, label: option }));
    return <SelectField key={key} {...common} placeholder={choose} options={options} />;
  },
  date: ({ key, ...common }) => <DateField key={key} {...common} />,
  time: ({ key, ...common }) => <TextField key={key} {...common} type="time" />,
  datetime: ({ key, ...common }, { required }) => <DateTimeField key={key} {...common} required={required} />,
  email: ({ key, ...common }) => <TextField key={key} {...common} type="email" />,
  money: ({ key, ...common }, input, { choose }) => (
    <MoneyField key={key} {...common} required={input.required} currencies={currenciesOf(input)} choose={choose} />
  ),
  file: ({ key, ...common }, { required }) => <UploadField key={key} {...common} required={required} />,
  list: ({ key, ...common }, input, words) => {
    const entry = entryField(input);
    const rowLabel = (number: number) => words.t('entry', { number });
    return (
      <FormRows
        key={key}
        {...common}
        {...(entry.type === 'file' ? { hint: <SeveralFilesHint hint={common.hint} /> } : {})}
        compact={entry.type !== 'group'}
        most={LIST_MAX}
        blank={emptyEntry(input)}
        addLabel={words.t('add')}
        rowLabel={rowLabel}
      >
        {(row, number) => {
          if (entry.type === 'group') return members(row, entry, words);
          const drawn = { field: row, label: rowLabel(number) };
          if (entry.type === 'file') return <UploadField {...drawn} required={entry.required} several />;
          return draw({ key: row.name, ...drawn }, entry, words);
        }}
      </FormRows>
    );
  },
  group: ({ key, ...common }, input, words) => (
    <GroupFrame key={key} {...common}>
      <div className="grid gap-4 border-s-2 border-line ps-4">{members(common.field, input, words)}</div>
    </GroupFrame>
  ),
} as const satisfies Record<FieldType, Draw>;

const members = (field: FormFieldset, { fields = [] }: InputField, { choose, t }: Words) =>
  inputFields(fields, field.getFieldset(), choose, t);

/** Labels in the form's summary of errors for controls with these names: `lines[2].total.amount` → 'Lines 3: Total: Amount'. */
export function inputPartLabels(inputs: readonly InputField[], names: readonly string[], t: TFunction<'inputs'>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const label = labelOf(
        inputs,
        name.split(/[.[\]]+/).filter((key) => key !== ''),
        t,
      );
      return label === null ? [] : [[name, label]];
    }),
  );
}

function labelOf(inputs: readonly InputField[], [name, ...rest]: string[], t: TFunction<'inputs'>): string | null {
  const input = inputs.find((one) => one.name === name);
  if (input === undefined) return null;
  const title = revealedText(input.title);
  const [index, ...inside] = rest;
  const isEntry = input.type === 'list' && index !== undefined;
  const own = isEntry ? t('numbered', { field: title, number: Number(index) + 1 }) : title;
  const part = partLabel(input, isEntry ? inside : rest, t);
  return part === null ? own : t('part', { field: own, part });
}

function partLabel(input: InputField, rest: string[], t: TFunction<'inputs'>): string | null {
  const { type, fields = [] } = valueField(input);
  if (type === 'group') return labelOf(fields, rest, t);
  const [part] = rest;
  return type === 'money' && (part === 'amount' || part === 'currency') ? t(part) : null;
}
