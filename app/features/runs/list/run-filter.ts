import { href } from 'react-router';
import { z } from 'zod';
import { RUN_STATUSES } from '#app/contracts/statuses.ts';
import { type ListAddress, listUrl } from '#app/domain/web/list-address.ts';
import { readSearchWords, SEARCH_WORDS_MAX } from '#app/domain/web/search-words.ts';

/** How a run can have been started. A run that takes up another one keeps how it was started itself: by a person. */
export const TRIGGER_KINDS = ['manual', 'schedule', 'webhook', 'api', 'mcp', 'a2a', 'workflow'] as const;
/** Least active times to choose from, in seconds. */
export const LEAST_SECONDS = [10, 60, 600, 3_600, 86_400] as const;
/** Least costs to choose from, in millionths of a US dollar. */
export const LEAST_COSTS = [10_000, 100_000, 1_000_000, 10_000_000] as const;

const choice = (values: readonly (string | number)[]) => z.union([z.literal(''), z.enum(values.map(String))]);
const id = z.union([z.literal(''), z.uuid()]);
const day = z.union([z.literal(''), z.iso.date()]);

/** The filters of the list of runs as its address carries them; '' is none. `q`: words of their content. Days are UTC, both included. */
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
  })
  .refine((filter) => filter.from === '' || filter.until === '' || filter.from <= filter.until);
export type RunFilter = Record<keyof z.infer<typeof runFilterSchema>, string>;

export const NO_RUN_FILTER: RunFilter = {
  q: '',
  status: '',
  workflow: '',
  version: '',
  mode: '',
  trigger: '',
  person: '',
  error: '',
  from: '',
  until: '',
  seconds: '',
  cost: '',
};
const NAMES = Object.keys(NO_RUN_FILTER) as (keyof RunFilter)[];

/** The filter as typed, and whether it can be used. */
export function readRunFilter(params: URLSearchParams): { filter: RunFilter; valid: boolean } {
  const typed = Object.fromEntries(NAMES.map((name) => [name, params.get(name)?.trim().slice(0, 80) ?? ''])) as RunFilter;
  typed.q = readSearchWords(params.get('q')).words;
  return { filter: typed, valid: runFilterSchema.safeParse(typed).success };
}

export const isFiltered = (filter: RunFilter) => NAMES.some((name) => filter[name] !== '');

/** The query of an address with these filters. */
export function runFilterQuery(filter: RunFilter): Record<string, string> {
  return Object.fromEntries(NAMES.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]));
}

export const RUNS: ListAddress = { name: 'runs', path: href('/dashboard/runs'), params: [...NAMES, 'sort'] };

/** The address of the list with these filters. */
export const runsUrl = (filter: RunFilter) => listUrl(RUNS, new URLSearchParams(filter));
