import { DecisionPage } from '#app/features/reasoning/decision-page.tsx';
import { loadDecision } from '#app/features/reasoning/load-decision.server.ts';
import type { Route } from './+types/decision';

export const handle = { i18n: ['reasoning', 'explanations'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadDecision({ params, context });
}

export default function Decision({ loaderData }: Route.ComponentProps) {
  return <DecisionPage decision={loaderData} />;
}
