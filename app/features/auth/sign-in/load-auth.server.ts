import { data, type LoaderFunctionArgs } from 'react-router';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { HOME_PATH, returnPath } from '#app/features/auth/session/return-path.ts';
import { admissionOf } from '#app/features/auth/sign-in/admission.server.ts';
import type { Admission } from '#app/features/auth/sign-in/admission.ts';
import { type AuthMode, readAuthMode } from '#app/features/auth/sign-in/auth-mode.ts';

/**
 * The state of the sign-in and sign-up screen. An unknown mode answers 400 and can still be used to sign in. `admission` is null for signing
 * in, which asks nothing about invitations and is never held up by the limit on them.
 */
export type AuthView = {
  mode: AuthMode;
  invalidMode: boolean;
  next: string | null;
  admission: Admission | null;
  /** Whether browsers have passkeys for this address. */
  passkeys: boolean;
  /** They are signed in, in a session that a workspace does not take any more. */
  again: boolean;
};

export async function loadAuth({ url, context }: LoaderFunctionArgs) {
  const { passkeys, identity } = context.get(servicesContext);
  const mode = readAuthMode(url.searchParams);
  const next = returnPath(url.searchParams.get('next'));
  return data<AuthView>(
    {
      mode: mode ?? 'sign-in',
      invalidMode: mode === null,
      next: next === HOME_PATH ? null : next,
      passkeys: passkeys.possible && identity.companySessions !== null,
      again: url.searchParams.has('again') && context.get(authContext).user !== null,
      admission: mode === 'sign-up' ? await admissionOf(context, url) : null,
    },
    { status: mode === null ? 400 : 200 },
  );
}
