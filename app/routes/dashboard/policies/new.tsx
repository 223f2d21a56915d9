import { createPolicyAction, requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { CreatePolicyForm } from '#app/features/policies/create-policy-form.tsx';
import type { Route } from './+types/new';

export const handle = { i18n: ['policies', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return requirePolicyAuthor({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return createPolicyAction({ request, context });
}

export default function NewPolicy({ actionData }: Route.ComponentProps) {
  return <CreatePolicyForm lastResult={actionData} />;
}
