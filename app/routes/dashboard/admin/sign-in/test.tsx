import { privatePage } from '#app/components/page/private-page.server.ts';
import { confirmProviderTest, loadProviderTest } from '#app/features/admin/sign-in/provider-test.server.ts';
import { ProviderTestPage } from '#app/features/admin/sign-in/provider-test-page.tsx';
import type { Route } from './+types/test';

export const handle = { i18n: ['admin', 'auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadProviderTest(args);
}

export function action(args: Route.ActionArgs) {
  return confirmProviderTest(args);
}

export default function ProviderTest({ loaderData }: Route.ComponentProps) {
  return <ProviderTestPage test={loaderData} />;
}
