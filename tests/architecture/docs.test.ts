import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';

const pages = [
  'README.md',
  ...readdirSync(join(root, 'app', 'docs'))
    .sort()
    .map((name) => `app/docs/${name}`),
];
const MAX_LINES = 120;
/** A path of the repository, alone or followed by the name of a test in it: `tests/x.test.ts: does what it says`. */
const PATH = /^((?:app|locales|public|supabase|tests)\/[\w./$-]*)(?:: (.+))?$/;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const proseOf = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, '');
const quotedIn = (page: string) => [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted);

test.each(pages)('%s names only files and tests that exist', (page) => {
  const wrong = quotedIn(page).filter((quoted) => {
    const [, path, name] = PATH.exec(quoted) ?? [];
    if (path === undefined) return false;
    return !existsSync(join(root, path)) || (name !== undefined && !read(path).includes(name));
  });
  expect(wrong).toEqual([]);
});

test.each(pages)('%s links to pages that exist', (page) => {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.split('#')[0] ?? '');
  const own = targets.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
  expect(own.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

// The table of commands grows with the product.
test.each(pages.filter((page) => page.startsWith('app/docs/') && page !== 'app/docs/commands.md'))('%s is short', (page) => {
  expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
});

// How-tos for adding something are found from the others.
test('README leads to every page', () => {
  const links = new Set([...read('README.md').matchAll(/\]\((app\/docs\/[^)]+)\)/g)].map(([, target]) => target));
  expect(pages.filter((page) => page.startsWith('app/docs/') && !page.includes('/adding-') && !links.has(page))).toEqual([]);
});

/** A numbered place in a document that is not here, such as a brief: whoever reads the code cannot open it. Public ones (RFC, WCAG) may be cited. */
const ELSEWHERE =
  /product[- ]spec|\bspecification \(|\(design\b|\bdesign(?:\.md)?,? section|specification,? sections? \d|\b[Ii]ssue #?\d|\b[Rr]ule \d|checklist \d/;

test('nothing refers to documents that are not in the repository', () => {
  const texts = [...sourceFiles('app'), ...sourceFiles('tests')].filter(({ path }) => !path.endsWith('/docs.test.ts'));
  const schemas = readdirSync(join(root, 'supabase', 'schemas')).map((name) => `supabase/schemas/${name}`);
  const decisions = readdirSync(join(root, 'app', 'decisions')).map((name) => `app/decisions/${name}`);
  const others = [...pages, ...schemas, ...decisions].map((path) => ({ path, text: read(path) }));
  const wrong = [...texts, ...others].flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (ELSEWHERE.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(wrong).toEqual([]);
});
