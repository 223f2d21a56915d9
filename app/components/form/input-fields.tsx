import type { ReactElement } from 'react';
import { CheckboxField, SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

/**
 * The fields that an author has written, for a form of the schema `inputFieldShape`. No component: the form's summary of errors finds the labels
 * of fields that are elements of its own. `choose`: what a choice shows before anything is chosen.
 */
export function inputFields(inputs: readonly InputField[], fields: Partial<Record<string, FormField>>, choose: string): ReactElement[] {
  return inputs.flatMap((input) => {
    const field = fields[input.name];
    return field === undefined ? [] : [oneField(input, field, choose)];
  });
}

function oneField(input: InputField, field: FormField, choose: string): ReactElement {
  const key = input.name;
  const hint = input.help === '' ? {} : { hint: revealedText(input.help) };
  const common = { field, label: revealedText(input.title), ...(input.required ? {} : { optional: true }), ...hint };
  switch (input.type) {
    case 'longtext':
      return <TextAreaField key={key} {...common} rows={8} />;
    case 'number':
      return <NumberField key={key} {...common} />;
    case 'boolean':
      return <CheckboxField key={key} field={field} label={revealedText(input.title)} {...hint} />;
    case 'choice': {
      const options = visibleOptions(input).map((option) => ({ value: option, label: option }));
      return <SelectField key={key} {...common} placeholder={choose} options={options} />;
    }
    case 'date':
      return <TextField key={key} {...common} type="date" />;
    default:
      return <TextField key={key} {...common} autoComplete="off" />;
  }
}
