import { changePasskey } from '#app/features/auth/passkey/change-passkey-action.server.ts';
import { loadPasskey } from '#app/features/auth/passkey/load-passkeys.server.ts';
import { PasskeyPage } from '#app/features/auth/passkey/passkey-page.tsx';
import type { Route } from './+types/passkey';

export const handle = { i18n: ['account', 'inputs', 'validation'] };

export function loader(args: Route.LoaderArgs) {
  return loadPasskey(args);
}

export function action(args: Route.ActionArgs) {
  return changePasskey(args);
}

export default function Passkey({ loaderData, actionData }: Route.ComponentProps) {
  return <PasskeyPage view={loaderData} answer={actionData} />;
}
