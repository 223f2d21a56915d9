import { HttpResponse } from 'msw';
import { type Asked, challengeOf, emailOf, endpoint, recordOf, textOf } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';
import type { MailKind, MailToken, MockUser } from '#tests/mocks/mock-types.ts';

/** What each type of a link may be used as; `email` stands for a sign-up or a magic link. */
const KINDS: Record<string, readonly MailKind[]> = {
  signup: ['signup'],
  invite: ['invite'],
  magiclink: ['magiclink', 'recovery'],
  recovery: ['recovery'],
  email_change: ['email_change'],
  email: ['signup', 'magiclink', 'recovery'],
};

/** POST otp, recover and resend send mails; POST and GET verify use what stands in them. */
export function mailLinkHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'post', '/auth/v1/otp', async (asked) => {
      refuseRated(asked);
      const email = emailOf(asked.body.email);
      const standing = mock.userByEmail(email);
      if (standing === undefined && asked.body.create_user === false)
        throw new MockRefusal(422, 'otp_disabled', 'Signups not allowed for otp');
      const user = standing ?? (await mock.addUser({ email, userMetadata: recordOf(asked.body.data) }));
      mock.mail(user, user.confirmedAt === null ? 'signup' : 'magiclink', mailOptions(asked));
      return {};
    }),
    endpoint(mock, 'post', '/auth/v1/recover', (asked) => {
      refuseRated(asked);
      const user = mock.userByEmail(emailOf(asked.body.email));
      if (user !== undefined) mock.mail(user, 'recovery', mailOptions(asked));
      return {};
    }),
    endpoint(mock, 'post', '/auth/v1/resend', (asked) => {
      refuseRated(asked);
      const user = mock.userByEmail(emailOf(asked.body.email));
      if (textOf(asked.body.type) === 'signup' && user !== undefined && user.confirmedAt === null)
        mock.mail(user, 'signup', mailOptions(asked));
      if (textOf(asked.body.type) === 'email_change' && user?.newEmail)
        mock.mail(user, 'email_change', { ...mailOptions(asked), to: user.newEmail });
      return {};
    }),
    endpoint(mock, 'post', '/auth/v1/verify', async ({ body, scenario }) => {
      if (scenario === 'rate-limited') throw refusals.tooManyRequests();
      const kinds = KINDS[textOf(body.type)] ?? [];
      const hash = textOf(body.token_hash);
      const email = textOf(body.email).toLowerCase();
      const code = textOf(body.token);
      if (hash === '' && (code === '' || email === '')) throw refusals.invalid('Verify requires either a token or a token hash');
      const token = mock.takeMailToken(
        (kept) => kinds.includes(kept.kind) && (hash !== '' ? kept.hash === hash : kept.code === code && kept.to === email),
      );
      const user = token && mock.users.get(token.userId);
      if (!token || !user) throw refusals.linkOver();
      return (await confirmToken(mock, user, token)) ?? mock.openSession(user, token.kind === 'recovery' ? 'recovery' : 'otp');
    }),
    // The default link of a hosted project: it ends in the product with a code, or with an error behind the hash.
    endpoint(mock, 'get', '/auth/v1/verify', async ({ url }) => {
      const target = new URL(url.searchParams.get('redirect_to') ?? mock.settings.siteUrl);
      const kinds = KINDS[url.searchParams.get('type') ?? ''] ?? [];
      const hash = url.searchParams.get('token') ?? '';
      const token = mock.takeMailToken((kept) => kinds.includes(kept.kind) && kept.hash === hash);
      const user = token && mock.users.get(token.userId);
      if (!token || !user) {
        target.hash = 'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired';
        return redirectTo(target);
      }
      if ((await confirmToken(mock, user, token)) !== null) target.hash = 'message=Confirmation+link+accepted';
      else if (token.challenge === null) target.hash = 'error=access_denied&error_code=bad_code_verifier';
      else target.searchParams.set('code', mock.issueAuthCode(user.id, token.challenge, token.kind === 'recovery' ? 'recovery' : 'otp'));
      return redirectTo(target);
    }),
  ];
}

const redirectTo = (target: URL) => new HttpResponse(null, { status: 303, headers: { Location: target.href } });

function mailOptions({ body, url }: Asked) {
  return { challenge: challengeOf(body), redirectTo: url.searchParams.get('redirect_to') };
}

function refuseRated({ scenario }: Asked): void {
  if (scenario === 'rate-limited') throw refusals.tooManyMails(47);
}

/** Confirms what the token is about. Returns a body when no session follows: the other mailbox must still agree. */
async function confirmToken(mock: MockBackend, user: MockUser, token: MailToken): Promise<Record<string, unknown> | null> {
  if (token.kind === 'email_change' && user.newEmail !== null) {
    if (mock.hasMailToken((other) => other.userId === user.id && other.kind === 'email_change'))
      return { code: '200', msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email' };
    user.email = user.newEmail;
    user.newEmail = null;
  }
  user.confirmedAt ??= mock.now();
  await mock.saveUser(user);
  return null;
}
