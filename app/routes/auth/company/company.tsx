import { privatePage } from '#app/components/page/private-page.server.ts';
import { CompanyPage } from '#app/features/auth/company/company-page.tsx';
import { askForCompany, loadCompany } from '#app/features/auth/company/load-company.server.ts';
import type { Route } from './+types/company';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadCompany(args);
}

export function action(args: Route.ActionArgs) {
  return askForCompany(args);
}

export default function Company({ loaderData, actionData }: Route.ComponentProps) {
  return <CompanyPage view={loaderData} answer={actionData} />;
}
