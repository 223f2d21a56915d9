import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';

const read = (language: string, namespace: string) => JSON.parse(readFileSync(`locales/${language}/${namespace}.json`, 'utf8'));

test.each(LANGUAGES)('the first steps in %s name the demo’s workflow and its fields as its screens do', (language) => {
  const { first, form } = read(language, 'docs').start.run;
  const { recordsRequest, words } = read(language, 'workflows').templates;
  expect(first).toContain(recordsRequest.title);
  const { request, record, received, answered } = words;
  expect(form).toMatchObject({ request, record, received, answered });
});
