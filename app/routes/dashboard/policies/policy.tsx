import { loadPolicy } from '#app/features/policies/load-policy.server.ts';
import { PolicyPage } from '#app/features/policies/policy-page.tsx';
import { setPolicyAction } from '#app/features/policies/set-policy-action.server.ts';
import type { Route } from './+types/policy';

export const handle = { i18n: ['policies', 'explanations', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadPolicy({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return setPolicyAction({ request, params, context });
}

export default function Policy({ loaderData, actionData }: Route.ComponentProps) {
  return <PolicyPage policy={loaderData} lastResult={actionData} />;
}
