import { data, type LoaderFunctionArgs, redirect } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { OTHER_MAILBOX, readEmailLink, recoveryPath, signInLinkPath } from '#app/features/auth/recovery/email-link.ts';
import { readEmailCookie } from '#app/features/auth/sign-in/email-cookie.ts';

/**
 * The states of an e-mailed link's page. `halfway`: the other mailbox has to confirm too. `garbled`, `over` and `missing` are links that
 * cannot be used.
 */
export type ConfirmationView = {
  state: 'sent' | 'resent' | 'halfway' | 'ask' | 'ready' | 'over' | 'garbled' | 'missing';
  emailChange: boolean;
  /** Typed in this browser before, or empty. */
  email: string;
  mailboxOpen: boolean;
};

/** Reads the link and changes nothing. A recovery link goes on to where the new password is chosen, one to sign in to its own page. */
export async function loadConfirmation({ request, url, context }: LoaderFunctionArgs) {
  const link = readEmailLink(url.searchParams);
  if (link.kind === 'token' && link.type === 'recovery') throw redirect(recoveryPath(link.tokenHash));
  if (link.kind === 'token' && link.type === 'magiclink') throw redirect(signInLinkPath(link.tokenHash));
  const { mailboxToken } = context.get(servicesContext);
  const view = (state: ConfirmationView['state'], status: number) =>
    data<ConfirmationView>(
      {
        state,
        emailChange: link.kind === 'token' && link.type === 'email_change',
        email: readEmailCookie(request.headers.get('Cookie')),
        mailboxOpen: mailboxToken !== null,
      },
      { status },
    );
  switch (link.kind) {
    case 'token':
    case 'code':
      return view('ready', 200);
    case 'failed':
      return view('over', 400);
    case 'garbled':
      return view('garbled', 400);
    case 'none': {
      const sent = url.searchParams.get('sent');
      if (url.searchParams.has('again')) return view('ask', 200);
      if (sent === OTHER_MAILBOX) return view('halfway', 200);
      const was = url.searchParams.get('was');
      if (was === 'over' || was === 'garbled') return view(was, 400);
      return sent === 'signup' ? view('sent', 200) : sent === 'again' ? view('resent', 200) : view('missing', 400);
    }
  }
}
