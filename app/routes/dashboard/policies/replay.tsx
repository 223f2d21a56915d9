import { loadReplay } from '#app/features/policies/replay/load-replay.server.ts';
import { ReplayPage } from '#app/features/policies/replay/replay-page.tsx';
import type { Route } from './+types/replay';

export const handle = { i18n: ['policies', 'explanations'] };

export function loader({ params, url, context }: Route.LoaderArgs) {
  return loadReplay({ params, url, context });
}

export default function Replay({ loaderData }: Route.ComponentProps) {
  return <ReplayPage replay={loaderData} />;
}
