import { askPasskey } from '#app/features/auth/passkey/passkey-options.server.ts';
import type { Route } from './+types/passkey';

export function action(args: Route.ActionArgs) {
  return askPasskey(args);
}
