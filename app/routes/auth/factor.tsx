import { privatePage } from '#app/components/page/private-page.server.ts';
import { FactorPage } from '#app/features/auth/factor/factor-page.tsx';
import { loadFactor } from '#app/features/auth/factor/load-factor.server.ts';
import { showFactor } from '#app/features/auth/factor/show-factor-action.server.ts';
import type { Route } from './+types/factor';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadFactor(args);
}

export function action(args: Route.ActionArgs) {
  return showFactor(args);
}

export default function Factor({ loaderData, actionData }: Route.ComponentProps) {
  return <FactorPage view={loaderData} answer={actionData} />;
}
