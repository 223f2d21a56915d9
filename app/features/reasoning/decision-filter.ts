import { VERDICTS, type Verdict } from '#app/contracts/statuses.ts';

/** The filters of the explorer as its address carries them. */
export type DecisionFilter = { verdict: Verdict | ''; policy: string; workflow: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readDecisionFilter(params: URLSearchParams): DecisionFilter {
  const id = (name: string) => {
    const value = params.get(name) ?? '';
    return UUID.test(value) ? value : '';
  };
  return { verdict: VERDICTS.find((verdict) => verdict === params.get('verdict')) ?? '', policy: id('policy'), workflow: id('workflow') };
}

/** The query of an address with these filters. */
export function filterQuery(filter: DecisionFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}
