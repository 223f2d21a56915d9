import { loadSignOut } from '#app/features/auth/sign-in/load-sign-out.server.ts';
import { signOut } from '#app/features/auth/sign-in/sign-out-action.server.ts';
import { SignOutPage } from '#app/features/auth/sign-in/sign-out-page.tsx';
import type { Route } from './+types/sign-out';

export const handle = { i18n: ['auth'] };

export function loader(args: Route.LoaderArgs) {
  return loadSignOut(args);
}

export function action(args: Route.ActionArgs) {
  return signOut(args);
}

export default function SignOut({ loaderData }: Route.ComponentProps) {
  return <SignOutPage {...loaderData} />;
}
