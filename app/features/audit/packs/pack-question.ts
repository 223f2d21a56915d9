import { z } from 'zod';

/** Of the address: what is asked for, as typed. */
export type TypedQuestion = { framework: string; from: string; until: string; seed: string };
export type QuestionField = keyof TypedQuestion;

const day = z.iso.date();
/** Characters that need no quotes: a seed stands in files and in a command line. */
const seed = z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/);

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 30;

/**
 * Reads `?framework=&from=&until=&seed=`. Without a period nothing is asked yet, and the last 30 days are filled in. `wrong` names the fields
 * that cannot be used. `today`: YYYY-MM-DD. `known`: ids of the laws and standards.
 */
export function readQuestion(params: URLSearchParams, { today, known }: { today: string; known: readonly string[] }) {
  const text = (name: QuestionField) => params.get(name)?.trim().slice(0, 80) ?? '';
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (PERIOD_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const isAsked = params.has('from') || params.has('until');
  const typed: TypedQuestion = {
    framework: text('framework'),
    from: isAsked ? text('from') : first,
    until: isAsked ? text('until') : today,
    seed: text('seed'),
  };
  const [isFrom, isUntil] = [day.safeParse(typed.from).success, day.safeParse(typed.until).success && typed.until <= today];
  const wrong: QuestionField[] = [
    ...(known.includes(typed.framework) ? [] : (['framework'] as const)),
    ...(isFrom ? [] : (['from'] as const)),
    ...(isUntil && !(isFrom && typed.from > typed.until) ? [] : (['until'] as const)),
    ...(typed.seed === '' || seed.safeParse(typed.seed).success ? [] : (['seed'] as const)),
  ];
  return { typed, isAsked, wrong: isAsked ? wrong : [] };
}
