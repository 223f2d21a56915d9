import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { confinedTo } from '#app/engine/runs/expression-process.ts';

const JSONATA = createRequire(import.meta.url).resolve('jsonata');

/** What code that had broken out of an expression could do: run in the process that expressions have. */
function brokenOut(code: string): string {
  const script = `try { ${code}; process.stdout.write('done') } catch (error) { process.stdout.write(String(error.code)) }`;
  return spawnSync(process.execPath, [...confinedTo(JSONATA), '-e', script], { env: {}, encoding: 'utf8' }).stdout;
}

test.each([
  ['reads no file but JSONata', `require('node:fs').readFileSync(${JSON.stringify(process.execPath)})`],
  ['writes none', `require('node:fs').writeFileSync(${JSON.stringify(`${JSONATA}.changed`)}, '')`],
  ['starts no program', `require('node:child_process').execFileSync(process.execPath, ['-v'])`],
])('the process of expressions %s', (_, code) => {
  expect(brokenOut(code)).toBe('ERR_ACCESS_DENIED');
});

test('the process of expressions reads JSONata', () => {
  expect(brokenOut(`require(${JSON.stringify(JSONATA)})`)).toBe('done');
});
