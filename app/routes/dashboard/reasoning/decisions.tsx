import { DecisionList } from '#app/features/reasoning/decision-list.tsx';
import { loadDecisions } from '#app/features/reasoning/load-decisions.server.ts';
import type { Route } from './+types/decisions';

export const handle = { i18n: ['reasoning', 'figures', 'explanations'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadDecisions({ url, context });
}

export default function Decisions({ loaderData }: Route.ComponentProps) {
  return <DecisionList {...loaderData} />;
}
