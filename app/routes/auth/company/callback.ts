import { finishCompany } from '#app/features/auth/company/finish-company.server.ts';
import type { Route } from './+types/callback';

export function loader(args: Route.LoaderArgs) {
  return finishCompany(args);
}
