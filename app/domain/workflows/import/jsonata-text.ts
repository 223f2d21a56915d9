/** A name in a path of JSONata, in backquotes where it is no plain word. */
export const expressionKey = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:and|or|in|true|false|null)$/.test(name) ? name : `\`${name.replaceAll('`', '')}\``;

/**
 * Text that has no counterpart, kept where its author will look for it: a comment alone is no expression, so that nothing can be published
 * before somebody has written one.
 */
export const leftToWrite = (text: string, max = 10_000): string => `/* ${text.slice(0, max).replaceAll('*/', '* /').trim()} */`;
