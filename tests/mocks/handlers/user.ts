import { HttpResponse } from 'msw';
import { challengeOf, emailOf, endpoint, recordOf, textOf } from '#tests/mocks/handlers/endpoint.ts';
import { type MockBackend, userBody } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';

/** GET and PUT user, GET reauthenticate, POST logout. */
export function userHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'get', '/auth/v1/user', ({ request, scenario }) => {
      if (scenario === 'session-not-found') throw refusals.sessionMissing();
      return userBody(mock.caller(request).user);
    }),
    endpoint(mock, 'put', '/auth/v1/user', async ({ request, body, url, scenario }) => {
      if (scenario === 'session-not-found') throw refusals.sessionMissing();
      const { user, session } = mock.caller(request);
      const password = textOf(body.password);
      if (password !== '') {
        if (scenario === 'weak-password')
          throw refusals.weakPassword(['length', 'characters', 'pwned'], mock.settings.minimumPasswordLength);
        if (user.factors.some(({ status }) => status === 'verified') && session.assurance !== 'aal2')
          throw new MockRefusal(401, 'insufficient_aal', 'AAL2 session is required to update email or password when MFA is enabled.');
        const nonce = textOf(body.nonce);
        if (
          nonce !== '' &&
          mock.takeMailToken((kept) => kept.kind === 'reauthentication' && kept.userId === user.id && kept.code === nonce) === null
        )
          throw new MockRefusal(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
        const present = textOf(body.current_password);
        if (present !== '' && present !== user.password)
          throw new MockRefusal(400, 'current_password_invalid', 'Current password is incorrect');
        if (password === user.password)
          throw new MockRefusal(422, 'same_password', 'New password should be different from the old password.');
        mock.checkPassword(password);
        user.password = password;
      }
      if (body.email !== undefined && textOf(body.email).toLowerCase() !== user.email) {
        const email = emailOf(body.email);
        if (mock.userByEmail(email) !== undefined)
          throw new MockRefusal(422, 'email_exists', 'A user with this email address has already been registered');
        user.newEmail = email;
        const options = { challenge: challengeOf(body), redirectTo: url.searchParams.get('redirect_to') };
        // Both mailboxes take part.
        mock.mail(user, 'email_change', { ...options, to: email });
        mock.mail(user, 'email_change', { ...options, to: user.email });
      }
      if (body.data !== undefined) user.userMetadata = { ...user.userMetadata, ...recordOf(body.data) };
      await mock.saveUser(user);
      return userBody(user);
    }),
    endpoint(mock, 'get', '/auth/v1/reauthenticate', ({ request, scenario }) => {
      if (scenario === 'rate-limited') throw refusals.tooManyMails(47);
      mock.mail(mock.caller(request).user, 'reauthentication', { challenge: null, redirectTo: null });
      return {};
    }),
    endpoint(mock, 'post', '/auth/v1/logout', async ({ request, url, scenario }) => {
      if (scenario === 'session-not-found') throw refusals.sessionMissing();
      const { user, session } = mock.caller(request);
      const scope = url.searchParams.get('scope') ?? 'global';
      await mock.endSessions(
        ({ id, userId }) =>
          userId === user.id &&
          (scope === 'global' || (scope === 'local' && id === session.id) || (scope === 'others' && id !== session.id)),
      );
      return new HttpResponse(null, { status: 204 });
    }),
  ];
}
