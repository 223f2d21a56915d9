import { loadProvider } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { saveProvider } from '#app/features/admin/sign-in/provider-action.server.ts';
import { ProviderPage } from '#app/features/admin/sign-in/provider-page.tsx';
import type { Route } from './+types/provider';

export const handle = { i18n: ['admin', 'members', 'inputs', 'validation'] };

export function loader(args: Route.LoaderArgs) {
  return loadProvider(args);
}

export function action(args: Route.ActionArgs) {
  return saveProvider(args);
}

export default function Provider({ loaderData, actionData }: Route.ComponentProps) {
  return <ProviderPage provider={loaderData} lastResult={actionData} />;
}
