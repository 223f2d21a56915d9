import { privatePage } from '#app/components/page/private-page.server.ts';
import { CompanyLinkPage } from '#app/features/auth/company/company-link-page.tsx';
import { linkCompany, loadCompanyLink } from '#app/features/auth/company/link-company.server.ts';
import type { Route } from './+types/link';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadCompanyLink(args);
}

export function action(args: Route.ActionArgs) {
  return linkCompany(args);
}

export default function CompanyLink({ loaderData }: Route.ComponentProps) {
  return <CompanyLinkPage view={loaderData} />;
}
