import { hidesText } from '#app/domain/connections/hidden-text.ts';
import { fieldRules } from '#app/domain/workflows/fields/field-rules.ts';
import { isCurrency } from '#app/domain/workflows/fields/money.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';

type FieldFault = 'duplicateField' | 'noOptions' | 'hiddenOption' | 'unknownCurrency';

/** Reports the faults of fields beyond their schema, each with the name of the field. */
export function checkFields(
  fields: readonly InputField[],
  report: (key: FieldFault, values: { name: string; currency?: string }) => void,
): void {
  const seen = new Set<string>();
  for (const { name, type, options } of fields) {
    if (seen.has(name)) report('duplicateField', { name });
    seen.add(name);
    const kind = fieldRules(type).options;
    if (kind === 'choices' && options.length === 0) report('noOptions', { name });
    if (kind === 'choices' && options.some(hidesText)) report('hiddenOption', { name });
    const unknown = kind === 'currencies' ? options.find((option) => !isCurrency(option)) : undefined;
    if (unknown !== undefined) report('unknownCurrency', { name, currency: unknown });
  }
}
