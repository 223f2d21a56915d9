/** Types of a list's entries. */
export const ITEM_TYPES = ['text', 'longtext', 'number', 'choice', 'date', 'time', 'datetime', 'email', 'money', 'file', 'group'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** Types of a field in a form that an author writes. `FIELD_RULES` says what each means; the compiler names every table without one. */
export const FIELD_TYPES = [
  'text',
  'longtext',
  'number',
  'boolean',
  'choice',
  'date',
  'time',
  'datetime',
  'email',
  'money',
  'list',
  'group',
  'file',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Fields within fields: a group in a group in the form. */
export const FIELDS_MAX_DEPTH = 3;
/** Fields of one form, all told. */
export const FIELDS_MAX = 50;
/** Entries of one list, and of all lists of a form together. */
export const LIST_MAX = 100;
export const ENTRIES_MAX = 500;
