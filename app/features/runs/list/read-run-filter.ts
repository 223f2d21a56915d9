import { z } from 'zod';
import { RUN_STATUSES } from '#app/contracts/statuses.ts';
import { readSearchWords, SEARCH_WORDS_MAX } from '#app/domain/web/search-words.ts';
import { LEAST_COSTS, LEAST_SECONDS, RUN_FILTER_NAMES, type RunFilter, TRIGGER_KINDS } from '#app/features/runs/list/run-filter.ts';

const choice = (values: readonly (string | number)[]) => z.union([z.literal(''), z.enum(values.map(String))]);
const id = z.union([z.literal(''), z.uuid()]);
const day = z.union([z.literal(''), z.iso.date()]);

const runFilterSchema = z
  .object({
    q: z.string().max(SEARCH_WORDS_MAX * 2),
    status: choice(RUN_STATUSES),
    workflow: id,
    version: z.union([z.literal(''), z.stringFormat('version', /^\d{1,6}$/)]),
    mode: choice(['live', 'test']),
    trigger: choice(TRIGGER_KINDS),
    person: id,
    error: z.string().regex(/^\w{0,60}$/),
    from: day,
    until: day,
    seconds: choice(LEAST_SECONDS),
    cost: choice(LEAST_COSTS),
  } satisfies Record<keyof RunFilter, z.ZodType>)
  .refine((filter) => filter.from === '' || filter.until === '' || filter.from <= filter.until);

/** The filter as typed, and whether it can be used. */
export function readRunFilter(params: URLSearchParams): { filter: RunFilter; valid: boolean } {
  const typed = Object.fromEntries(RUN_FILTER_NAMES.map((name) => [name, params.get(name)?.trim().slice(0, 80) ?? ''])) as RunFilter;
  typed.q = readSearchWords(params.get('q')).words;
  return { filter: typed, valid: runFilterSchema.safeParse(typed).success };
}
