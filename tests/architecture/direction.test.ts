import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';
import { scan } from '#tests/architecture/texts.ts';

// Right to left is as good as left to right: a screen names start and end, and the browser knows which side that is.

const screens = sourceFiles('app').filter(({ path }) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'));
const styles = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => ({ path: `app/${path}`, text: readFileSync(join(root, 'app', path), 'utf8') }));

const PHYSICAL_CLASS =
  /^-?(?:[mp][lr]|(?:left|right)|scroll-[mp][lr]|border-[lr]|rounded-(?:l|r|tl|tr|bl|br)|text-(?:left|right)|float-(?:left|right)|clear-(?:left|right)|origin-(?:left|right)|(?:from|to)-[lr]|bg-gradient-to-[lr])(?:-.+)?$/;
const SIDEWAYS = /^-?translate-x-/;
/** Drawn from left to right in every language, as time axes are. */
const LEFT_TO_RIGHT = new Set(['app/components/chart/series-chart.tsx']);

/** Classes of a literal that name a side, without their variants (`rtl:` and `ltr:` say which direction they mean). */
function physicalClasses(path: string, literal: string): string[] {
  const classes = literal.split(/\s+/);
  return classes.filter((name) => {
    const parts = name.split(':');
    const bare = parts.at(-1) ?? '';
    if (parts.includes('rtl') || parts.includes('ltr')) return false;
    if (PHYSICAL_CLASS.test(bare) && /-\[|-\d|-px|-auto|-full|^text-|^float-|^clear-|^rounded-|^border-|^origin-/.test(bare)) return true;
    return SIDEWAYS.test(bare) && !LEFT_TO_RIGHT.has(path);
  });
}

const literalsOf = ({ path, text }: { path: string; text: string }) => [...scan(path, text).strings, ...templateParts(text)];
const templateParts = (text: string) => [...text.matchAll(/`([^`]*)`/g)].map(([, part]) => (part ?? '').replace(/\$\{[^}]*\}/g, ' '));

describe('the sides of a screen', () => {
  it('are start and end in classes', () => {
    const found = screens.flatMap((file) =>
      literalsOf(file).flatMap((literal) => physicalClasses(file.path, literal).map((name) => `${file.path}: ${name}`)),
    );
    expect(found).toEqual([]);
  });

  it('are start and end in styles', () => {
    const physical =
      /(?:^|[\s;{])(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|float|clear)\s*:/;
    const aligned = /text-align\s*:\s*(?:left|right)/;
    const inCss = styles.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (physical.test(line) || aligned.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    );
    const inline = screens.flatMap(({ path, text }) =>
      [...text.matchAll(/style=\{\{[^}]*\b(?:left|right|(?:margin|padding|border)(?:Left|Right))\b[^}]*\}\}/g)].map(
        ([style]) => `${path}: ${style}`,
      ),
    );
    expect([...inCss, ...inline]).toEqual([]);
  });

  it('are told apart by something that sees them', () => {
    expect(physicalClasses('x.tsx', 'ml-4 hover:pr-2 -left-1 md:text-right rounded-l-md border-r-2 -translate-x-1/2')).toHaveLength(7);
    expect(physicalClasses('x.tsx', 'ms-4 pe-2 start-0 text-start rtl:ml-1 right away left')).toEqual([]);
  });
});

describe('icons', () => {
  /** Their direction means back, forward, out or in. Marks of media (play, skip), checks and clocks are the same everywhere. */
  const DIRECTED =
    /^(?:chevron-(?:left|right)|chevrons-(?:left|right)|arrow-(?:left|right)|log-(?:in|out)|undo(?:-2)?|redo(?:-2)?|reply|forward|send|corner-.*|panel-(?:left|right).*|move-(?:left|right)|list-indent.*|indent.*|outdent.*)$/;
  /** Where the icon is chosen at run time, and what turns it there. */
  const TURNED_ELSEWHERE = new Set(['app/components/data/status-word.tsx: undo-2']);

  it('whose direction means something turn with the direction of reading', () => {
    const found = screens.flatMap(({ path, text }) =>
      [...text.matchAll(/import (\w+) from '~icons\/([\w-]+)'/g)]
        .filter(([, , icon = '']) => DIRECTED.test(icon) && !TURNED_ELSEWHERE.has(`${path}: ${icon}`))
        .flatMap(([, name = '', icon = '']) => {
          const uses = [...text.matchAll(new RegExp(`<${name}\\b[^>]*>`, 'g'))].map(([use]) => use);
          const wrong = uses.filter((use) => !use.includes('rtl:-scale-x-100'));
          return uses.length === 0 || wrong.length > 0 ? [`${path}: ${icon}`] : [];
        }),
    );
    expect(found).toEqual([]);
  });
});

describe('accessible names', () => {
  // What is hidden this way is a box of its own: a name put together of two would read 'Edit : Screening'.
  it('are not put together around a colon', () => {
    const found = screens.flatMap(({ path, text }) =>
      [...text.matchAll(/sr-only[^>]*>\s*(?:\{['"`])?\s*:/g)].map(([part]) => `${path}: ${part}`),
    );
    expect(found).toEqual([]);
  });
});
