import { loadNewSaml } from '#app/features/admin/sign-in/saml/load-saml.server.ts';
import { addSamlProvider } from '#app/features/admin/sign-in/saml/saml-action.server.ts';
import { NewSamlPage } from '#app/features/admin/sign-in/saml/saml-page.tsx';
import type { Route } from './+types/new-saml';

export const handle = { i18n: ['admin', 'members', 'inputs', 'validation'] };

export function loader(args: Route.LoaderArgs) {
  return loadNewSaml(args);
}

export function action(args: Route.ActionArgs) {
  return addSamlProvider(args);
}

export default function NewSaml({ loaderData, actionData }: Route.ComponentProps) {
  return <NewSamlPage loaded={loaderData} lastResult={actionData} />;
}
