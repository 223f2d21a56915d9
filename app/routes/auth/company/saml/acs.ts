import { takeAnswer } from '#app/features/auth/company/saml-acs.server.ts';
import type { Route } from './+types/acs';

export function action(args: Route.ActionArgs) {
  return takeAnswer(args);
}
