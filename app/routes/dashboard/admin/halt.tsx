import { haltOrRelease } from '#app/features/shell/halt-action.server.ts';
import { HaltPage } from '#app/features/shell/halt-page.tsx';
import { loadHalt } from '#app/features/shell/load-halt.server.ts';
import type { Route } from './+types/halt';

export const handle = { i18n: ['halt', 'inputs', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadHalt(context);
}

export function action(args: Route.ActionArgs) {
  return haltOrRelease(args);
}

export default function Halt({ loaderData, actionData }: Route.ComponentProps) {
  return <HaltPage view={loaderData} lastResult={actionData} />;
}
