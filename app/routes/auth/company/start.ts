import { startCompany } from '#app/features/auth/company/begin-company.server.ts';
import type { Route } from './+types/start';

export function loader(args: Route.LoaderArgs) {
  return startCompany(args);
}
