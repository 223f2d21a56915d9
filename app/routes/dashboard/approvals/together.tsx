import { decideTogetherAction } from '#app/features/approvals/together/decide-together-action.server.ts';
import { loadTogether } from '#app/features/approvals/together/load-together.server.ts';
import { TogetherPage } from '#app/features/approvals/together/together-page.tsx';
import type { Route } from './+types/together';

export const handle = { i18n: ['approvals', 'inputs'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadTogether({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return decideTogetherAction({ request, params, context });
}

export default function Together({ loaderData }: Route.ComponentProps) {
  return <TogetherPage together={loaderData} />;
}
