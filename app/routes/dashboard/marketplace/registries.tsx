import { loadRegistries, registriesAction } from '#app/features/marketplace/registries/registries-action.server.ts';
import { RegistriesPage } from '#app/features/marketplace/registries/registries-page.tsx';
import type { Route } from './+types/registries';

export const handle = { i18n: ['marketplace'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadRegistries({ context });
}

export function action({ request, context }: Route.ActionArgs) {
  return registriesAction({ request, context });
}

export default function MarketplaceRegistries({ loaderData, actionData }: Route.ComponentProps) {
  return <RegistriesPage registries={loaderData.registries} lastResult={actionData} />;
}
