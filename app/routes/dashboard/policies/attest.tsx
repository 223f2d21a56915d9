import { attestAction, loadAttest } from '#app/features/compliance/attest/attest.server.ts';
import { AttestPage } from '#app/features/compliance/attest/attest-page.tsx';
import type { Route } from './+types/attest';

export const handle = { i18n: ['compliance', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadAttest(context, params.control);
}

export function action(args: Route.ActionArgs) {
  return attestAction(args);
}

export default function Attest({ loaderData, actionData }: Route.ComponentProps) {
  return <AttestPage loaded={loaderData} lastResult={actionData} />;
}
