import { loadSignIn } from '#app/features/connections/sign-in/load-sign-in.server.ts';
import { signInAction } from '#app/features/connections/sign-in/sign-in-action.server.ts';
import { SignInPage } from '#app/features/connections/sign-in/sign-in-page.tsx';
import type { Route } from './+types/sign-in';

export const handle = { i18n: ['connections'] };

export function loader({ params, context, url }: Route.LoaderArgs) {
  return loadSignIn({ params, context, url });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return signInAction({ request, params, context });
}

export default function SignInToPlugin({ loaderData }: Route.ComponentProps) {
  return <SignInPage loaded={loaderData} />;
}
