import { loadPolicyVersion } from '#app/features/policies/load-version.server.ts';
import { restorePolicyVersionAction } from '#app/features/policies/version-action.server.ts';
import { PolicyVersionPage } from '#app/features/policies/version-page.tsx';
import type { Route } from './+types/version';

export const handle = { i18n: ['policies'] };

export function loader({ params, url, context }: Route.LoaderArgs) {
  return loadPolicyVersion({ params, url, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return restorePolicyVersionAction({ request, params, context });
}

export default function PolicyVersion({ loaderData }: Route.ComponentProps) {
  return <PolicyVersionPage version={loaderData} />;
}
