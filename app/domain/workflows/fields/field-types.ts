/** What a field of a form that an author writes may hold. `FIELD_RULES` says what each means; the compiler names every table without one. */
export const FIELD_TYPES = ['text', 'longtext', 'number', 'boolean', 'choice', 'date', 'time', 'datetime', 'email', 'money'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
