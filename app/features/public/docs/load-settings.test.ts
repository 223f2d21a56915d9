import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTINGS } from '#app/features/public/docs/load-settings.server.ts';

it('explains every setting of .env.example', () => {
  const example = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8');
  const names = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(SETTINGS.map(({ name }) => name)).toEqual(names);
});
