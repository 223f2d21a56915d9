import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#tests/architecture/source-files.ts';

const folder = join(root, 'app', 'decisions');
const files = readdirSync(folder).sort();

test('decisions are numbered without a gap and without a number twice', () => {
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
});

test.each(files)('%s carries its number in its heading', (name) => {
  const [heading = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
  expect(heading).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`));
});
