import type { RunIdentity, SubjectPart } from '#app/contracts/runs.ts';
import type { SentenceWords } from '#app/domain/runs/subject/sentence-words.ts';

type Written = { number(value: number, options?: Intl.NumberFormatOptions): string };
const PLAIN: Written = { number: (value, options) => (options?.currency === undefined ? String(value) : `${value} ${options.currency}`) };

/** The subject in the reader's language. */
export function subjectText(parts: readonly SubjectPart[], formats: Written): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (typeof part === 'number') return formats.number(part, { maximumFractionDigits: 20 });
      return isolated(formats.number(part.amount, { style: 'currency', currency: part.currency, maximumFractionDigits: 20 }));
    })
    .join('');
}

/** An amount that is written from right to left would turn around what stands beside it in a line that is not. */
const isolated = (amount: string) => (amount.startsWith('\u200F') ? `\u2068${amount}\u2069` : amount);

/** The subject for programs: numbers as JSON writes them. */
export const plainSubject = (subject: readonly SubjectPart[] | null): string | null =>
  subject === null ? null : subjectText(subject, PLAIN);

/** A run as programs and people who use them read its name: numbers as JSON writes them. */
export const plainRunName = (run: RunIdentity & { workflow: string }): string => runName(run, PLAIN);

/** A run as lists and headings name it: its subject, or its workflow where it has none, and its number. */
export function runName({ number, subject, workflow }: RunIdentity & { workflow: string }, formats: Written): string {
  const about = subject === null ? workflow : subjectText(subject, formats);
  // After an Arabic letter a browser takes the digits for Arabic ones, and puts the sign behind them: 9#.
  return `${about} · ${/\p{Script=Arabic}/u.test(about) ? LEFT_TO_RIGHT_MARK : ''}#${number}`;
}

const LEFT_TO_RIGHT_MARK = '\u200E';

/** The act that an approval would release: the sentence of its step, or the waiting action with a few of its values. */
export type Asked = { sentence: SubjectPart[] } | { action: string; values: { field: string; parts: SubjectPart[] }[] };

/** How a language says that an action is run with values. `sentence`: one that Quorate ships in the reader's words. */
export type AskedWords = {
  call(values: { action: string; values: string }): string;
  series(items: readonly string[]): string;
  sentence: SentenceWords;
} & Written;

/** The sentence in the reader's language. */
export function askedText(asked: Asked, words: AskedWords): string {
  if ('sentence' in asked) return subjectText(words.sentence(asked.sentence), words);
  const values = asked.values.map(({ field, parts }) => `${field} ${subjectText(parts, words)}`);
  return words.call({ action: asked.action, values: words.series(values) });
}
