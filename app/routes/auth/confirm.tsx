import { privatePage } from '#app/components/page/private-page.server.ts';
import { confirm } from '#app/features/auth/recovery/confirm-action.server.ts';
import { ConfirmPage } from '#app/features/auth/recovery/confirm-page.tsx';
import { loadConfirmation } from '#app/features/auth/recovery/load-confirmation.server.ts';
import type { Route } from './+types/confirm';

export const handle = { i18n: ['auth', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadConfirmation(args);
}

export function action(args: Route.ActionArgs) {
  return confirm(args);
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmPage view={loaderData} answer={actionData} />;
}
