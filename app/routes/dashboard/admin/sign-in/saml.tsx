import { loadSamlService } from '#app/features/admin/sign-in/saml/load-saml.server.ts';
import { saveSamlKeys } from '#app/features/admin/sign-in/saml/saml-action.server.ts';
import { SamlPage } from '#app/features/admin/sign-in/saml/saml-page.tsx';
import type { Route } from './+types/saml';

export const handle = { i18n: ['admin'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadSamlService(context);
}

export function action(args: Route.ActionArgs) {
  return saveSamlKeys(args);
}

export default function Saml({ loaderData }: Route.ComponentProps) {
  return <SamlPage service={loaderData} />;
}
