import { DevConsolePage } from '#app/features/dev-console/dev-console-page.tsx';
import { loadDevConsole, resendAction } from '#app/features/dev-console/load-dev-console.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['devConsole'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadDevConsole({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return resendAction({ request, context });
}

export default function DevConsole({ loaderData }: Route.ComponentProps) {
  return <DevConsolePage view={loaderData} />;
}
