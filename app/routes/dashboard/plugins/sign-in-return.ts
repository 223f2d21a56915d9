import { returnFromSignIn } from '#app/features/connections/sign-in/return-from-sign-in.server.ts';
import type { Route } from './+types/sign-in-return';

export function loader({ context, url }: Route.LoaderArgs) {
  return returnFromSignIn({ context, url });
}
