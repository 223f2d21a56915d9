import type { ActionFunctionArgs } from 'react-router';
import { readAuthMode } from '#app/features/auth/sign-in/auth-mode.ts';
import { signIn } from '#app/features/auth/sign-in/sign-in-action.server.ts';
import { signUp } from '#app/features/auth/sign-in/sign-up-action.server.ts';

/** `/auth` posts to its own address; the mode says which form it is. */
export async function enter(args: ActionFunctionArgs) {
  return readAuthMode(args.url.searchParams) === 'sign-up' ? signUp(args) : signIn(args);
}
