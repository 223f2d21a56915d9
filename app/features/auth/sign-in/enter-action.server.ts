import type { ActionFunctionArgs } from 'react-router';
import { signInWithPasskey } from '#app/features/auth/passkey/passkey-sign-in.server.ts';
import { readAuthMode } from '#app/features/auth/sign-in/auth-mode.ts';
import { signIn } from '#app/features/auth/sign-in/sign-in-action.server.ts';
import { signUp } from '#app/features/auth/sign-in/sign-up-action.server.ts';

/** `/auth` posts to its own address; the mode says which form it is. */
export async function enter(args: ActionFunctionArgs) {
  if ((await args.request.clone().formData()).get('form') === 'passkey') return signInWithPasskey(args);
  return readAuthMode(args.url.searchParams) === 'sign-up' ? signUp(args) : signIn(args);
}
