import { expect, test } from 'vitest';
import { ownPath, sourceFiles } from '#tests/architecture/source-files.ts';

// Types count as well: two files that name each other's types cannot be understood, moved or tested one at a time.

const files = sourceFiles('app').filter(({ path }) => !/\.test\.tsx?$/.test(path));
const known = new Set(files.map(({ path }) => path));
const imports = new Map(
  files.map((file) => [
    file.path,
    file.imports
      .map(({ specifier }) => ownPath(file, specifier))
      .filter((target): target is string => target !== null && known.has(target)),
  ]),
);

/** Groups of files that reach each other by their imports (Tarjan's strongly connected components, those of one file left out). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const places = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  function visit(file: string): number {
    const place = places.size;
    places.set(file, place);
    open.push(file);
    let low = place;
    for (const next of graph.get(file) ?? []) {
      if (!places.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, places.get(next) ?? low);
    }
    if (low === place) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) found.push(circle.sort());
    }
    return low;
  }
  for (const file of graph.keys()) if (!places.has(file)) visit(file);
  return found;
}

test('no files import each other in a circle', () => {
  expect(circles(imports)).toEqual([]);
});

test('a circle is found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ]);
  expect(circles(graph)).toEqual([['a', 'b', 'c']]);
});

test('files are short: half have at most 60 lines, nine in ten at most 150', () => {
  const lines = files.map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b);
  expect(lines[Math.floor(lines.length * 0.5)]).toBeLessThanOrEqual(60);
  expect(lines[Math.floor(lines.length * 0.9)]).toBeLessThanOrEqual(150);
});
