import { data, type LoaderFunctionArgs } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { readMailCookie } from '#app/features/auth/mail/mail-cookie.server.ts';
import { readEmailLink } from '#app/features/auth/recovery/email-link.ts';
import { readEmailCookie } from '#app/features/auth/sign-in/email-cookie.ts';

/**
 * `ask`: for the address. `sent`: the mail was asked for, its code is taken here. `ready`: its link was opened where it was asked for, and
 * waits for a button. `elsewhere`: in another browser, which takes the code alone. `over`: the link cannot be used.
 */
export type MailView = {
  state: 'ask' | 'sent' | 'ready' | 'elsewhere' | 'over';
  /** Typed in this browser before, or empty. */
  email: string;
  mailboxOpen: boolean;
};

/** Reads the link and changes nothing: mail scanners open links. */
export function loadMail({ request, url, context }: LoaderFunctionArgs) {
  const { engine, now, mailboxToken } = context.get(servicesContext);
  const cookies = request.headers.get('Cookie');
  const asked = readMailCookie(engine.sealer, cookies, now());
  const link = readEmailLink(url.searchParams);
  const view = (state: MailView['state'], status = 200) =>
    data<MailView>({ state, email: asked ?? readEmailCookie(cookies), mailboxOpen: mailboxToken !== null }, { status });
  if (link.kind === 'token' || link.kind === 'code') return view(asked === null ? 'elsewhere' : 'ready');
  if (link.kind === 'failed' || link.kind === 'garbled') return view('over', 400);
  return view(url.searchParams.get('sent') === '1' ? 'sent' : 'ask');
}
