import { HelpPage } from '#app/features/help/help-page.tsx';
import { loadHelp } from '#app/features/help/load-help.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['help', 'members'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadHelp({ context, url });
}

export default function Help({ loaderData }: Route.ComponentProps) {
  return <HelpPage {...loaderData} />;
}
