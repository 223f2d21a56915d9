import { finishSaml } from '#app/features/auth/company/finish-saml.server.ts';
import type { Route } from './+types/finish';

export function action(args: Route.ActionArgs) {
  return finishSaml(args);
}
