import { editPolicyAction } from '#app/features/policies/edit-policy-action.server.ts';
import { EditPolicyForm } from '#app/features/policies/edit-policy-form.tsx';
import { loadPolicyEditor } from '#app/features/policies/load-policy-editor.server.ts';
import type { Route } from './+types/edit';

export const handle = { i18n: ['policies', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadPolicyEditor({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return editPolicyAction({ request, params, context });
}

export default function EditPolicy({ loaderData, actionData }: Route.ComponentProps) {
  return <EditPolicyForm policy={loaderData} lastResult={actionData} />;
}
