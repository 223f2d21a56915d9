import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [plain = '', more = ''] = css.split('@variant high-contrast');
/** The tokens of both sets, each by theme. */
const SETS = {
  plain: { tokens: tokensOf(plain), text: 4.5, lines: 3 },
  'high contrast': { tokens: tokensOf(more), text: 7, lines: 4.5 },
};

function tokensOf(part: string) {
  const found = part.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g);
  return new Map([...found].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));
}

const GROUNDS = ['paper', 'surface', 'raised'];
const STATUS = ['ok', 'attention', 'danger', 'info'];

/** [what is written or drawn, what it stands on]. */
const TEXT: [string, string][] = [
  ...GROUNDS.flatMap((ground): [string, string][] =>
    ['ink', 'muted', 'accent', 'accent-hover', ...STATUS.map((name) => `${name}-ink`)].map((text) => [text, ground]),
  ),
  ...STATUS.flatMap((name): [string, string][] => [
    [`${name}-ink`, name],
    ['ink', name],
  ]),
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-hover'],
  ['accent', 'accent-soft'],
  ['accent-hover', 'accent-soft'],
  ['ink', 'accent-soft'],
  ['muted', 'accent-soft'],
];
/** Borders of controls, the focus ring, dots of the logo and bars of charts: without them something would be invisible. */
const LINES: [string, string][] = [
  ...GROUNDS.flatMap((ground): [string, string][] =>
    ['edge', 'accent', ...STATUS.map((name) => `${name}-ink`)].map((line) => [line, ground]),
  ),
];

/** Contrast of WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of relative luminances. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const THEMES = ['light', 'dark'] as const;
const CASES = THEMES.flatMap((theme) => (['plain', 'high contrast'] as const).map((set) => [theme, set] as const));

describe.each(CASES)('contrast of the %s theme, %s', (theme, set) => {
  const { tokens, text: leastOfText, lines: leastOfLines } = SETS[set];
  const of = (name: string) => tokens.get(name)?.[theme] ?? expect.fail(`there is no token ${name}`);

  it.each(TEXT)('%s can be read on %s', (text, ground) => {
    expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(leastOfText);
  });

  it.each(LINES)('%s can be seen on %s', (line, ground) => {
    expect(contrast(of(line), of(ground))).toBeGreaterThanOrEqual(leastOfLines);
  });
});
