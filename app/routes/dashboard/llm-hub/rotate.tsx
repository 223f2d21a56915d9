import { loadRotate, rotateAction } from '#app/features/connections/rotate-action.server.ts';
import { RotateForm } from '#app/features/connections/rotate-form.tsx';
import type { Route } from './+types/rotate';

export const handle = { i18n: ['connections', 'control'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadRotate({ params, context, kind: 'model' });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return rotateAction({ request, params, context, kind: 'model' });
}

export default function RotateModelKey({ loaderData, actionData }: Route.ComponentProps) {
  return <RotateForm connection={loaderData} lastResult={actionData} />;
}
