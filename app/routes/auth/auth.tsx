import { privatePage } from '#app/components/private-page.server.ts';
import { AuthPage } from '#app/features/auth/auth-page.tsx';
import { enter } from '#app/features/auth/enter-action.server.ts';
import { loadAuth } from '#app/features/auth/load-auth.server.ts';
import { requireAnonymous } from '#app/features/auth/require-anonymous.server.ts';
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
