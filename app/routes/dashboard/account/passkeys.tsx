import { changePasskeys } from '#app/features/auth/passkey/change-passkeys-action.server.ts';
import { loadPasskeys } from '#app/features/auth/passkey/load-passkeys.server.ts';
import { PasskeysPage } from '#app/features/auth/passkey/passkeys-page.tsx';
import type { Route } from './+types/passkeys';

export const handle = { i18n: ['account', 'inputs', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return loadPasskeys(context);
}

export function action(args: Route.ActionArgs) {
  return changePasskeys(args);
}

export default function Passkeys({ loaderData, actionData }: Route.ComponentProps) {
  return <PasskeysPage view={loaderData} answer={actionData} />;
}
