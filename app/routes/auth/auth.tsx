import { privatePage } from '#app/components/page/private-page.server.ts';
import { requireAnonymous } from '#app/features/auth/session/require-anonymous.server.ts';
import { AuthPage } from '#app/features/auth/sign-in/auth-page.tsx';
import { enter } from '#app/features/auth/sign-in/enter-action.server.ts';
import { loadAuth } from '#app/features/auth/sign-in/load-auth.server.ts';
import type { Route } from './+types/auth';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage, requireAnonymous];

export function loader(args: Route.LoaderArgs) {
  return loadAuth(args);
}

export function action(args: Route.ActionArgs) {
  return enter(args);
}

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  return <AuthPage view={loaderData} answer={actionData} />;
}
