import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';

// A kind of step is one file or folder a side and one line in each table (docs/adding-a-kind-of-step.md). The compiler names what a
// new kind lacks as long as nothing else asks which kind a step is.

const product = sourceFiles('app').filter(({ path }) => !/\.test\.tsx?$/.test(path));

/** Where a kind is at home. */
const HOMES = ['app/domain/workflows/steps/', 'app/engine/runs/steps/', 'app/features/workflows/steps/'];
/** Other things are of these kinds, too: capabilities, connections, artifacts, outcomes. */
const SHARED_NAMES = ['tool', 'agent', 'model', 'wait', 'message'];
const own = STEP_KINDS.filter((kind) => !SHARED_NAMES.includes(kind)).join('|');
const COMPARED = [
  /\b(?:step|substep|before|after|copy|next)\??(?:\.\w+)?\.kind\s*[!=]==/,
  new RegExp(`\\bkind\\s*[!=]==\\s*'(?:${own})'`),
  /\bswitch \((?:\w+\.)*step\.kind\)/,
];

describe('a kind of step', () => {
  it('is asked for in its own files and in the tables alone', () => {
    const asking = product.filter(
      ({ path, text }) => !HOMES.some((home) => path.startsWith(home)) && COMPARED.some((pattern) => pattern.test(text)),
    );
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  it.each(STEP_KINDS)('%s has its rules and its form', (kind) => {
    const file = kind.replaceAll('_', '-');
    expect(existsSync(join(root, `app/domain/workflows/steps/${file}-step.ts`))).toBe(true);
    expect(existsSync(join(root, `app/features/workflows/steps/${file}/${file}-screen.tsx`))).toBe(true);
  });

  it('may stand in the journal', () => {
    const journal = readFileSync(join(root, 'supabase/schemas/50_runs.sql'), 'utf8');
    const [, listed = ''] = /create table quorate\.steps \([\s\S]*?check \(kind in \(([^)]*)\)\)/.exec(journal) ?? [];
    expect(listed.split(/,\s+/).toSorted()).toEqual(STEP_KINDS.map((kind) => `'${kind}'`).toSorted());
  });
});
