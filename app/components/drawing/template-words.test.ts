import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { translateTemplate } from '#app/components/drawing/template-words.ts';
import { WORKFLOW_TEMPLATES } from '#app/domain/workflows/workflow-templates.ts';
import de from '#locales/de/workflows.json' with { type: 'json' };
import en from '#locales/en/workflows.json' with { type: 'json' };

/** Every word that people read, in the order of the document. */
function readIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(readIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'show') return Object.keys(inner);
    if (typeof inner === 'string' && ['title', 'question', 'sentence', ...('kind' in value ? ['name'] : [])].includes(key)) return [inner];
    return readIn(inner);
  });
}
const translator = ({ templates }: typeof en) =>
  ((key: string, values: { [name: string]: string } = {}) =>
    templates.words[key.split('.').at(-1) as keyof typeof templates.words].replace(
      /\{\{(\w+)\}\}/g,
      (place, name) => values[name] ?? place,
    )) as unknown as TFunction<'workflows'>;

test.each(WORKFLOW_TEMPLATES)('the template $id is read in the language of its reader, and is the same workflow in all', ({ document }) => {
  expect(translateTemplate(document, translator(en))).toEqual(document);
  const german = translateTemplate(document, translator(de));
  const [before, after] = [readIn(document), readIn(german)];
  expect(before.length).toBeGreaterThan(7);
  expect(after).toHaveLength(before.length);
  expect(after.filter((word) => before.includes(word))).toEqual([]);
  expect(german.output).toBe(document.output);
});
