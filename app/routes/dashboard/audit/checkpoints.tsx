import { CheckpointsPage } from '#app/features/audit/checkpoints-page.tsx';
import { loadCheckpoints } from '#app/features/audit/load-checkpoints.server.ts';
import type { Route } from './+types/checkpoints';

export const handle = { i18n: ['audit'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadCheckpoints({ url, context });
}

export default function Checkpoints({ loaderData }: Route.ComponentProps) {
  return <CheckpointsPage loaded={loaderData} />;
}
