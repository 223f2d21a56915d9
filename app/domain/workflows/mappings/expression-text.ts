/** A mapping's value that begins with `=` is an expression. */
export function isExpression(value: string): boolean {
  return value.trimStart().startsWith('=');
}

/** The expression without its mark; a transform or a condition may be written with or without it. */
export function stripMark(value: string): string {
  const text = value.trimStart();
  return text.startsWith('=') ? text.slice(1) : text;
}

const TEXT_IN_QUOTES = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const namePattern = (root: 'input' | 'steps') =>
  new RegExp(`(?<![\\w.$\`])${root}(?:\\.([a-z][a-z0-9_]*)|\\[["']([a-z][a-z0-9_]*)["']\\])`, 'g');

/** Names that an expression takes from `input` or `steps`: `steps.a.b` and `steps["a"]`; texts in quotes do not count. */
export function namesAfter(root: 'input' | 'steps', expression: string): Set<string> {
  return new Set([...withoutTexts(expression).matchAll(namePattern(root))].map((match) => match[1] ?? match[2] ?? ''));
}

/** The expression with other names of steps where it takes their outputs. A text in quotes stays as it is. */
export function renameSteps(expression: string, names: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of withoutTexts(expression).matchAll(namePattern('steps'))) {
    const name = match[1] ?? match[2] ?? '';
    const at = match.index + match[0].lastIndexOf(name);
    parts.push(expression.slice(end, at), names.get(name) ?? name);
    end = at + name.length;
  }
  return [...parts, expression.slice(end)].join('');
}

/** The expression with blanks in place of its texts in quotes, but for a name in brackets: each character stays at its place. */
const withoutTexts = (expression: string): string =>
  expression.replace(TEXT_IN_QUOTES, (text, offset: number) =>
    expression[offset - 1] === '[' ? text : `"${' '.repeat(text.length - 2)}"`,
  );

/** A name in a path of JSONata, in backquotes where it is no plain word. */
export const expressionKey = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:and|or|in|true|false|null)$/.test(name) ? name : `\`${name.replaceAll('`', '')}\``;
