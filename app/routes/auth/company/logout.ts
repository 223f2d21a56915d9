import { endByCompany } from '#app/features/auth/company/company-logout.server.ts';
import type { Route } from './+types/logout';

export function action(args: Route.ActionArgs) {
  return endByCompany(args);
}
