import { privatePage } from '#app/components/page/private-page.server.ts';
import { FactorSetupPage } from '#app/features/auth/factor/factor-setup-page.tsx';
import { loadFactorSetup, setUpFactor } from '#app/features/auth/factor/load-factor-setup.server.ts';
import { requireFactor } from '#app/features/auth/factor/require-factor.server.ts';
import type { Route } from './+types/factor-setup';

export const handle = { i18n: ['auth', 'account', 'inputs', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage, requireFactor];

export function loader(args: Route.LoaderArgs) {
  return loadFactorSetup(args);
}

export function action(args: Route.ActionArgs) {
  return setUpFactor(args);
}

export default function FactorSetup({ loaderData, actionData }: Route.ComponentProps) {
  return <FactorSetupPage view={loaderData} answer={actionData} />;
}
