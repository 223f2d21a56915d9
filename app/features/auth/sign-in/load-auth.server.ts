import { data, type LoaderFunctionArgs } from 'react-router';
import { HOME_PATH, returnPath } from '#app/features/auth/session/return-path.ts';
import { admissionOf } from '#app/features/auth/sign-in/admission.server.ts';
import type { Admission } from '#app/features/auth/sign-in/admission.ts';
import { type AuthMode, readAuthMode } from '#app/features/auth/sign-in/auth-mode.ts';

/** The state of the sign-in and sign-up screen. An unknown mode answers 400 and can still be used to sign in. */
export type AuthView = { mode: AuthMode; invalidMode: boolean; next: string | null; admission: Admission };

export async function loadAuth({ url, context }: LoaderFunctionArgs) {
  const mode = readAuthMode(url.searchParams);
  const next = returnPath(url.searchParams.get('next'));
  return data<AuthView>(
    {
      mode: mode ?? 'sign-in',
      invalidMode: mode === null,
      next: next === HOME_PATH ? null : next,
      admission: await admissionOf(context, url),
    },
    { status: mode === null ? 400 : 200 },
  );
}
