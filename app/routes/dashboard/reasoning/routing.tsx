import { loadRouting } from '#app/features/reasoning/load-routing.server.ts';
import { RoutingPage } from '#app/features/reasoning/routing-page.tsx';
import type { Route } from './+types/routing';

export const handle = { i18n: ['reasoning', 'explanations'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadRouting({ url, context });
}

export default function Routing({ loaderData }: Route.ComponentProps) {
  return <RoutingPage {...loaderData} />;
}
