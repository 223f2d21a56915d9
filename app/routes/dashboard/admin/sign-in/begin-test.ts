import { beginProviderTest } from '#app/features/auth/company/begin-provider-test.server.ts';
import type { Route } from './+types/begin-test';

export function loader(args: Route.LoaderArgs) {
  return beginProviderTest(args);
}
