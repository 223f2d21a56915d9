import type { RouterContextProvider } from 'react-router';
import type { Operator } from '#app/domain/people/operator.ts';
import { servicesContext } from '#app/request-context.ts';

/** Who answers for this instance, as its settings say. */
export function loadOperator(context: Readonly<RouterContextProvider>): { operator: Operator | null } {
  return { operator: context.get(servicesContext).operator };
}
