import { href } from 'react-router';
import { type ListAddress, listUrl } from '#app/domain/web/list-address.ts';

/** How a run can have been started. A run that takes up another one keeps how it was started itself: by a person. */
export const TRIGGER_KINDS = ['manual', 'schedule', 'webhook', 'api', 'mcp', 'a2a', 'workflow'] as const;
/** Least active times to choose from, in seconds. */
export const LEAST_SECONDS = [10, 60, 600, 3_600, 86_400] as const;
/** Least costs to choose from, in millionths of a US dollar. */
export const LEAST_COSTS = [10_000, 100_000, 1_000_000, 10_000_000] as const;

export const NO_RUN_FILTER = {
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
/** The filters of the list of runs as its address carries them; '' is none. `q`: words of their content. Days are UTC, both included. */
export type RunFilter = Record<keyof typeof NO_RUN_FILTER, string>;
export const RUN_FILTER_NAMES = Object.keys(NO_RUN_FILTER) as (keyof RunFilter)[];

export const isFiltered = (filter: RunFilter) => RUN_FILTER_NAMES.some((name) => filter[name] !== '');

/** The query of an address with these filters. */
export function runFilterQuery(filter: RunFilter): Record<string, string> {
  return Object.fromEntries(RUN_FILTER_NAMES.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]));
}

export const RUNS: ListAddress = { name: 'runs', path: href('/dashboard/runs'), params: [...RUN_FILTER_NAMES, 'sort'] };

/** The address of the list with these filters. */
export const runsUrl = (filter: RunFilter) => listUrl(RUNS, new URLSearchParams(filter));
