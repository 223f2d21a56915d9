/** A node of an imported workflow that its author has to look at, and why. `name`: as its author called it; empty: the whole workflow. */
export type ImportNote = { name: string; kind: string; key: ImportNoteKey };

export const IMPORT_NOTES = [
  'trigger',
  'service',
  'http',
  'code',
  'model',
  'attached',
  'expression',
  'condition',
  'loop',
  'backwards',
  'errorWay',
  'copied',
  'merge',
  'answer',
  'approval',
  'waitsForCall',
  'subWorkflow',
  'disabled',
  'unreached',
  'tooDeep',
  'tooMany',
  'input',
  'comment',
] as const;
export type ImportNoteKey = (typeof IMPORT_NOTES)[number];
