import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';
import { SHIPPED_POLICIES } from '#app/engine/policy/shipped/shipped-policies.ts';

const annotated = (condition: string) =>
  `@id("a")\n@verdict("deny")\n@reason("No.")\nforbid(principal, action, resource)\nwhen { ${condition} };\n`;

describe('readPolicyText', () => {
  it.each(SHIPPED_POLICIES.map((policy) => [policy.name, policy.text] as const))('accepts %s', (_name, text) => {
    expect(readPolicyText(text).issues).toEqual([]);
  });

  it.each<[string, string, string, number | undefined, number | undefined]>([
    ['nothing', '', 'at least one rule', 1, 1],
    ['a comment alone', '// later\n', 'at least one rule', 1, 1],
    ['what does not parse', annotated('true').replace('};', ''), 'unexpected', 5, 12],
    ['an attribute that is not', annotated('context.budget > 3'), 'budget', 5, 8],
    ['an attribute that is not, after signs of several bytes', `// ünïcode 😀\n${annotated('context.budget > 3')}`, 'budget', 6, 8],
    ['a comparison of other types', annotated('context.risk > 3'), 'String', 5, 8],
    ['an action that is not', annotated('true').replace('action,', 'action == Action::"fly",'), 'unrecognized action', 4, undefined],
    ['a rule that can never apply', annotated('false'), 'impossible', 1, 1],
    ['a permit', '\npermit(principal, action, resource);', 'only forbid', 2, 1],
    ['no id', annotated('true').replace('@id("a")', ''), '@id', undefined, undefined],
    ['no verdict', annotated('true').replace('@verdict("deny")', ''), '@verdict', 1, 1],
    ['a verdict that is none', annotated('true').replace('"deny"', '"maybe"'), '@verdict', 1, 1],
    ['no reason', annotated('true').replace('@reason("No.")', ''), '@reason', 1, 1],
    ['one id twice', annotated('context.findings > 1') + annotated('context.findings > 2'), 'two rules', 6, 1],
    ['a template', 'forbid(principal == ?principal, action, resource);', 'cannot be used', 1, 1],
    ['nesting that would overflow', annotated(`${'('.repeat(40)}true${')'.repeat(40)}`), 'nested', 5, undefined],
    ['a chain that would overflow', annotated('context.findings == 1 || '.repeat(300).concat('true')), 'operators', 5, undefined],
    ['a pattern that would take long', annotated(`"${'a'.repeat(900)}" like "${'a*'.repeat(900)}"`), 'characters at most', 5, undefined],
    ['too many rules', annotated('true').repeat(101), 'rules at most', undefined, undefined],
    ['too long a text', '/'.repeat(70_000), 'characters', 1, 1],
  ])('refuses %s', (_what, text, message, line, column) => {
    const issues = readPolicyText(text).issues;
    const issue = issues.find((one) => one.message.includes(message));
    expect(issue, JSON.stringify(issues)).toBeDefined();
    if (line !== undefined) expect(issue?.line).toBe(line);
    if (column !== undefined) expect(issue?.column).toBe(column);
  });

  it('tells all that is wrong at once, in the order of the text', () => {
    const issues = readPolicyText(annotated('context.one > 1 || context.two > 1')).issues;
    expect(issues.length).toBeGreaterThanOrEqual(2);
    expect(issues.map((issue) => issue.column)).toEqual([...issues.map((issue) => issue.column)].sort((a, b) => (a ?? 0) - (b ?? 0)));
  });

  it('answers for any text and is still well afterwards', () => {
    const word = fc.constantFrom(
      'forbid',
      'permit',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      ';',
      'principal',
      ',',
      'action',
      'resource',
      'when',
      'context',
      '.',
      'risk',
      '==',
      '"high"',
      '&&',
      '||',
      '!',
      'if',
      'then',
      'else',
      '@id("x")',
      '//',
      '\n',
      '"',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 400 }),
          fc.array(word, { maxLength: 300 }).map((words) => words.join(' ')),
        ),
        (text) => {
          expect(readPolicyText(text).issues.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
    expect(readPolicyText(annotated('true')).issues).toEqual([]);
  });

  it.each([
    ['brackets', (n: number) => `${'('.repeat(n)}true${')'.repeat(n)}`, 28],
    ['or', (n: number) => `${'context.findings == 1 || '.repeat(n)}true`, 95],
    ['conditions', (n: number) => `${'if true then true else '.repeat(n)}true`, 190],
    ['brackets full of chains', (n: number) => `${'(true && true && true && true && true && '.repeat(n)}true${')'.repeat(n)}`, 28],
  ])('reads the deepest text it lets through: %s', (_what, text, count) => {
    expect(readPolicyText(annotated(text(count))).issues).toEqual([]);
  });
});
