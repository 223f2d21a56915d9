import { data, type LoaderFunctionArgs } from 'react-router';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { readEmailLink } from '#app/features/auth/recovery/email-link.ts';
import { isRecovering } from '#app/features/auth/recovery/recovery-cookie.server.ts';
import { readEmailCookie } from '#app/features/auth/sign-in/email-cookie.ts';

/**
 * `request`: ask for the e-mail. `sent`: it was asked for. `choose`: a link or a session of one is there. `code`: with the 6 digits of the
 * e-mail. `over`: the link cannot be used, ask for another.
 */
export type ResetView = {
  state: 'request' | 'sent' | 'choose' | 'code' | 'over';
  /** Typed in this browser before, or empty. */
  email: string;
  mailboxOpen: boolean;
};

export async function loadReset({ request, url, context }: LoaderFunctionArgs) {
  const { engine, now, mailboxToken } = context.get(servicesContext);
  const email = readEmailCookie(request.headers.get('Cookie'));
  const view = (state: ResetView['state'], status = 200) =>
    data<ResetView>({ state, email, mailboxOpen: mailboxToken !== null }, { status });
  const link = readEmailLink(url.searchParams);
  if (link.kind === 'token' || link.kind === 'code') return view('choose');
  if (link.kind === 'failed' || link.kind === 'garbled') return view('over', 400);
  const { user } = context.get(authContext);
  if (user !== null && isRecovering(engine.sealer, request.headers.get('Cookie'), user.sessionId, now())) return view('choose');
  if (url.searchParams.get('with') === 'code') return view('code');
  return view(url.searchParams.get('sent') === '1' ? 'sent' : 'request');
}
