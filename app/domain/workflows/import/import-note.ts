/** What an import could not take over as it was. `name`: of the node, as its author called it. */
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
