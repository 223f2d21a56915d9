import type { SubjectPart } from '#app/contracts/runs.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { subjectText, type Written } from '#app/domain/runs/subject/subject-text.ts';

/** What an approval would release: the sentence of its step, or the action that waits with a few of its values. */
export type Asked = { sentence: SubjectPart[] } | { action: string; values: { field: string; parts: SubjectPart[] }[] };

/** How a language says that an action is run with values. */
export type AskedWords = { call(values: { action: string; values: string }): string; series(items: readonly string[]): string } & Written;

/** The sentence in the reader's language, with what is invisible spelled out. */
export function askedText(asked: Asked, words: AskedWords): string {
  const written = (parts: readonly SubjectPart[]) =>
    subjectText(
      parts.map((part) => (typeof part === 'string' ? revealedText(part) : part)),
      words,
    );
  if ('sentence' in asked) return written(asked.sentence);
  const values = asked.values.map(({ field, parts }) => `${revealedText(field)} ${written(parts)}`);
  return words.call({ action: revealedText(asked.action), values: words.series(values) });
}
