import type { RouterContextProvider } from 'react-router';
import type { Operator } from '#app/contracts/people.ts';
import { servicesContext } from '#app/contracts/request-context.ts';

/** The operator of this instance, from its settings. */
export function loadOperator(context: Readonly<RouterContextProvider>): { operator: Operator | null } {
  return { operator: context.get(servicesContext).operator };
}
