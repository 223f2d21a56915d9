import { loadPolicies } from '#app/features/policies/load-policies.server.ts';
import { PolicyList } from '#app/features/policies/policy-list.tsx';
import type { Route } from './+types/list';

export const handle = { i18n: ['policies', 'explanations'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadPolicies({ context, url });
}

export default function Policies({ loaderData }: Route.ComponentProps) {
  return <PolicyList {...loaderData} />;
}
