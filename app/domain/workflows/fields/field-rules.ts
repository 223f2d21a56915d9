import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { EMAIL_MOST } from '#app/domain/workflows/fields/email-address.ts';
import { type FieldType, LIST_MAX } from '#app/domain/workflows/fields/field-types.ts';
import { TIME_OF_DAY } from '#app/domain/workflows/fields/local-time.ts';
import { CURRENCIES, MOST_MONEY } from '#app/domain/workflows/fields/money.ts';
import { entryField, type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

type JsonSchema = { [key: string]: unknown };

/** Something inside a value, by the way that leads there. */
type FieldName = { at: readonly string[]; title: string; type: FieldType };

type FieldRules = {
  /** JSON Schema (2020-12) of a value, without title and description. */
  schema(field: InputField): JsonSchema;
  /** Whether the bare text of a message may be its value. */
  takesText: boolean;
  /** Meaning of the field's options; null: it has none. */
  options: 'choices' | 'currencies' | null;
  /** Names that an expression may use inside a value. */
  members(field: InputField): readonly FieldName[];
  /** Types of fields of n8n's forms that become one. */
  n8n: readonly string[];
};

const text = ({ required }: InputField): JsonSchema => ({ type: 'string', ...(required ? { minLength: 1 } : {}) });
const PLAIN = { takesText: false, options: null, members: () => [], n8n: [] } as const;

/** The meaning of each type of field, for runs, programs and the editor alike. */
export const FIELD_RULES = {
  text: { ...PLAIN, schema: text, takesText: true, n8n: ['text', 'password'] },
  longtext: { ...PLAIN, schema: text, takesText: true, n8n: ['textarea'] },
  number: { ...PLAIN, schema: () => ({ type: 'number' }), n8n: ['number'] },
  boolean: { ...PLAIN, schema: () => ({ type: 'boolean' }) },
  choice: {
    ...PLAIN,
    schema: (field) => ({ type: 'string', enum: visibleOptions(field) }),
    options: 'choices',
    n8n: ['dropdown', 'radio'],
  },
  date: { ...PLAIN, schema: () => ({ type: 'string', format: 'date' }), n8n: ['date'] },
  // JSON Schema's format `time` asks for an offset, which a time of day has none of.
  time: { ...PLAIN, schema: () => ({ type: 'string', pattern: TIME_OF_DAY.source, examples: ['09:30'] }) },
  datetime: { ...PLAIN, schema: () => ({ type: 'string', format: 'date-time' }) },
  email: { ...PLAIN, schema: () => ({ type: 'string', format: 'email', maxLength: EMAIL_MOST }), n8n: ['email'] },
  money: {
    ...PLAIN,
    schema: moneySchema,
    options: 'currencies',
    members: ({ title }) => [
      { at: ['amount'], title, type: 'number' },
      { at: ['currency'], title, type: 'text' },
    ],
  },
  list: { ...PLAIN, schema: listSchema },
  group: { ...PLAIN, schema: ({ fields = [] }) => fieldsJsonSchema(fields), members: ({ fields = [] }) => fields.flatMap(namesOf) },
  file: {
    ...PLAIN,
    schema: fileSchema,
    members: ({ title }) =>
      ['file', 'name', 'mediaType', 'size', 'sha256'].map((name) => ({ at: [name], title, type: name === 'size' ? 'number' : 'text' })),
  },
} as const satisfies Record<FieldType, FieldRules>;

export const fieldRules = (type: FieldType): FieldRules => FIELD_RULES[type];

/** A field and what is inside its value. */
export function namesOf(field: InputField): FieldName[] {
  const { name, title, type } = field;
  const inside = fieldRules(type).members(field);
  return [{ at: [name], title, type }, ...inside.map((part) => ({ ...part, at: [name, ...part.at] }))];
}

function listSchema(field: InputField): JsonSchema {
  const entry = entryField(field);
  return { type: 'array', items: fieldRules(entry.type).schema(entry), ...(field.required ? { minItems: 1 } : {}), maxItems: LIST_MAX };
}

function moneySchema(field: InputField): JsonSchema {
  return {
    type: 'object',
    properties: {
      amount: { type: 'number', minimum: -MOST_MONEY, maximum: MOST_MONEY },
      currency: { type: 'string', enum: currenciesOf(field), description: 'ISO 4217' },
    },
    required: ['amount', 'currency'],
    additionalProperties: false,
  };
}

/** An upload by its id, or its content; runs get the first, with what is known of the file. */
function fileSchema(): JsonSchema {
  return {
    type: 'object',
    properties: {
      file: { type: 'string', format: 'uuid' },
      name: { type: 'string', minLength: 1, maxLength: 1_000 },
      base64: { type: 'string', contentEncoding: 'base64' },
      mediaType: { type: 'string' },
      size: { type: 'integer' },
      sha256: { type: 'string' },
    },
    anyOf: [{ required: ['file'] }, { required: ['name', 'base64'] }],
    additionalProperties: false,
  };
}

/** The currencies that a field of money takes: those its author names, or all. */
export const currenciesOf = ({ options }: Pick<InputField, 'options'>): readonly string[] => (options.length === 0 ? CURRENCIES : options);

/** JSON Schema of an object with these fields. */
export function fieldsJsonSchema(fields: readonly InputField[]): JsonSchema {
  const property = (field: InputField) => ({
    title: visibleText(field.title),
    ...(field.help === '' ? {} : { description: visibleText(field.help) }),
    ...fieldRules(field.type).schema(field),
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
    required: fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: false,
  };
}
