import { loadReplay } from '#app/features/policies/replay/load-replay.server.ts';
import { replayAction } from '#app/features/policies/replay/replay-action.server.ts';
import { ReplayPage } from '#app/features/policies/replay/replay-page.tsx';
import type { Route } from './+types/replay';

export const handle = { i18n: ['policies', 'explanations', 'validation'] };

export function loader({ params, url, context }: Route.LoaderArgs) {
  return loadReplay({ params, url, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return replayAction({ request, params, context });
}

export default function Replay({ loaderData, actionData }: Route.ComponentProps) {
  return <ReplayPage replay={loaderData} lastResult={actionData} />;
}
