import { privatePage } from '#app/components/page/private-page.server.ts';
import { loadReset } from '#app/features/auth/recovery/load-reset.server.ts';
import { resetPassword } from '#app/features/auth/recovery/reset-action.server.ts';
import { ResetPage } from '#app/features/auth/recovery/reset-page.tsx';
import type { Route } from './+types/reset-password';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadReset(args);
}

export function action(args: Route.ActionArgs) {
  return resetPassword(args);
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  return <ResetPage view={loaderData} answer={actionData} />;
}
