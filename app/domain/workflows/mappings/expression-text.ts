/** A mapping's value that begins with `=` is an expression. */
export function isExpression(value: string): boolean {
  return value.trimStart().startsWith('=');
}

/** The expression without its mark; a transform or a condition may be written with or without it. */
export function stripMark(value: string): string {
  const text = value.trimStart();
  return text.startsWith('=') ? text.slice(1) : text;
}

/** Names that an expression takes from `input` or `steps`: `steps.a.b` and `steps["a"]`; texts in quotes do not count. */
export function namesAfter(root: 'input' | 'steps', expression: string): Set<string> {
  const names = new Set<string>();
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text, offset: number) =>
    expression[offset - 1] === '[' ? text : '""',
  );
  const pattern = new RegExp(`(?<![\\w.$\`])${root}(?:\\.([a-z][a-z0-9_]*)|\\[["']([a-z][a-z0-9_]*)["']\\])`, 'g');
  for (const match of bare.matchAll(pattern)) names.add(match[1] ?? match[2] ?? '');
  return names;
}

/** A name in a path of JSONata, in backquotes where it is no plain word. */
export const expressionKey = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:and|or|in|true|false|null)$/.test(name) ? name : `\`${name.replaceAll('`', '')}\``;
