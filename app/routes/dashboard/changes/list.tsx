import { ControlChangesPage } from '#app/features/control/control-changes-page.tsx';
import { loadControlChanges } from '#app/features/control/load-control-changes.server.ts';
import type { Route } from './+types/list';

export const handle = { i18n: ['control'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadControlChanges({ context });
}

export default function ControlChanges({ loaderData }: Route.ComponentProps) {
  return <ControlChangesPage {...loaderData} />;
}
