import { exampleAction } from '#app/features/policies/examples/example-action.server.ts';
import { ExampleForm } from '#app/features/policies/examples/example-form.tsx';
import { loadExample } from '#app/features/policies/examples/load-example.server.ts';
import type { Route } from './+types/example';

export const handle = { i18n: ['policies', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadExample({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return exampleAction({ request, params, context });
}

export default function PolicyExample({ loaderData, actionData }: Route.ComponentProps) {
  return <ExampleForm loaded={loaderData} lastResult={actionData} />;
}
