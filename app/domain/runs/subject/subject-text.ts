import type { RunIdentity, SubjectPart } from '#app/contracts/runs.ts';

export type Written = { number(value: number, options?: Intl.NumberFormatOptions): string };
const PLAIN: Written = { number: (value, options) => (options?.currency === undefined ? String(value) : `${value} ${options.currency}`) };

/** The subject in the reader's language. */
export function subjectText(parts: readonly SubjectPart[], formats: Written): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (typeof part === 'number') return formats.number(part, { maximumFractionDigits: 20 });
      return formats.number(part.amount, { style: 'currency', currency: part.currency, maximumFractionDigits: 10 });
    })
    .join('');
}

/** The subject for programs: numbers as JSON writes them. */
export const plainSubject = (subject: readonly SubjectPart[] | null): string | null =>
  subject === null ? null : subjectText(subject, PLAIN);

/** A run as programs and people who use them read its name: numbers as JSON writes them. */
export const plainRunName = (run: RunIdentity & { workflow: string }): string => runName(run, PLAIN);

/** A run as lists and headings name it: its subject, or its workflow where it has none, and its number. */
export const runName = ({ number, subject, workflow }: RunIdentity & { workflow: string }, formats: Written): string =>
  `${subject === null ? workflow : subjectText(subject, formats)} · #${number}`;
