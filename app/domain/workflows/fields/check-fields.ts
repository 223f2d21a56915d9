import { hidesText } from '#app/domain/connections/hidden-text.ts';
import { fieldRules } from '#app/domain/workflows/fields/field-rules.ts';
import { FIELDS_MAX } from '#app/domain/workflows/fields/field-types.ts';
import { isCurrency } from '#app/domain/workflows/fields/money.ts';
import { entryField, type InputField } from '#app/domain/workflows/steps/input-field.ts';

export type FieldFault =
  | 'duplicateField'
  | 'noOptions'
  | 'hiddenOption'
  | 'unknownCurrency'
  | 'noGroupFields'
  | 'tooManyFields'
  | 'fileInside';
type Report = (key: FieldFault, values: { name: string; currency?: string; max?: number }) => void;

/** Reports the faults of fields beyond their schema, each with the way to the field (`address.street`). */
export function checkFields(fields: readonly InputField[], report: Report): void {
  if (countFields(fields) > FIELDS_MAX) report('tooManyFields', { name: '', max: FIELDS_MAX });
  checkLevel(fields, '', report);
}

function checkLevel(fields: readonly InputField[], within: string, report: Report): void {
  const seen = new Set<string>();
  for (const field of fields) {
    const name = `${within}${field.name}`;
    if (seen.has(field.name)) report('duplicateField', { name });
    seen.add(field.name);
    // a form keeps the files of its own fields alone
    if (takesFiles(field) && within !== '') report('fileInside', { name });
    checkOptions(field, name, report);
    checkLevel(field.fields ?? [], `${name}.`, report);
  }
}

/** Options and fields that apply to a field: of a list, those of its entries. */
export function checkOptions(field: InputField, name: string, report: Report): void {
  const { type, options, fields = [] } = valueField(field);
  const kind = fieldRules(type).options;
  if (kind === 'choices' && options.length === 0) report('noOptions', { name });
  if (kind === 'choices' && options.some(hidesText)) report('hiddenOption', { name });
  const unknown = kind === 'currencies' ? options.find((option) => !isCurrency(option)) : undefined;
  if (unknown !== undefined) report('unknownCurrency', { name, currency: unknown });
  if (type === 'group' && fields.length === 0) report('noGroupFields', { name });
}

/** The field itself, or what each entry of a list is. */
export const valueField = (field: InputField): InputField => (field.type === 'list' ? entryField(field) : field);

/** A field of one file, or of a list of files. */
export const takesFiles = (field: InputField): boolean => valueField(field).type === 'file';

/** All told: those within groups too. */
const countFields = (fields: readonly InputField[]): number =>
  fields.reduce((count, { fields: within = [] }) => count + 1 + countFields(within), 0);
