/**
 * Text that has no counterpart, kept where its author will look for it: a comment alone is no expression, so that nothing can be published
 * before somebody has written one.
 */
export const leftToWrite = (text: string, max = 10_000): string => `/* ${text.slice(0, max).replaceAll('*/', '* /').trim()} */`;
