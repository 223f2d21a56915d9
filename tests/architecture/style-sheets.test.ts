import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { ownPath, root, sourceFiles } from '#tests/architecture/source-files.ts';

// Tailwind writes a class into the style sheet of public pages only where it finds it in a file that the sheet names.

const named = [...readFileSync(join(root, 'app/public.css'), 'utf8').matchAll(/@source "\.\/([^"]+)"/g)].map(
  ([, source]) => `app/${source}`,
);
const isNamed = (path: string) => named.some((source) => posix.matchesGlob(path, source) || posix.matchesGlob(path, `${source}/**`));

const files = new Map(sourceFiles('app').map((file) => [file.path, file]));

/** All files that public pages and those of signing in load, however late. */
function reached(): Set<string> {
  const seen = new Set<string>();
  const open = [...files.keys()].filter((path) => path === 'app/root.tsx' || /^app\/routes\/(?:public|auth)\/.*\.tsx$/.test(path));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) continue;
    seen.add(path);
    open.push(...file.imports.flatMap(({ specifier }) => ownPath(file, specifier) ?? []));
  }
  return seen;
}

test('the style sheet of public pages names every file of theirs that has classes', () => {
  const withClasses = [...reached()].filter((path) => /\bclassName\b|\bclass=/.test(files.get(path)?.text ?? ''));
  expect(withClasses.length).toBeGreaterThan(80);
  expect(withClasses.filter((path) => !isNamed(path))).toEqual([]);
});
