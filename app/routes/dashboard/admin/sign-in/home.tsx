import { loadSignIn } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { saveSignIn } from '#app/features/admin/sign-in/sign-in-action.server.ts';
import { SignInPage } from '#app/features/admin/sign-in/sign-in-page.tsx';
import type { Route } from './+types/home';

export const handle = { i18n: ['admin', 'control', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadSignIn(context);
}

export function action(args: Route.ActionArgs) {
  return saveSignIn(args);
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInPage signIn={loaderData} answer={actionData} />;
}
