import { randomUUID } from 'node:crypto';
import { challengeOf, emailOf, endpoint, recordOf, textOf } from '#tests/mocks/handlers/endpoint.ts';
import { type MockBackend, userBody } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';

/** POST signup: an account that waits for its mail. An address that has one answers as a new one, with no identities. */
export function signUpHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'post', '/auth/v1/signup', async ({ body, url, scenario }) => {
      if (!mock.settings.signUpOpen) throw new MockRefusal(422, 'signup_disabled', 'Signups not allowed for this instance');
      if (scenario === 'rate-limited') throw refusals.tooManyMails(47);
      if (textOf(body.password) === '') throw refusals.invalid('Signup requires a valid password');
      if (scenario === 'weak-password') throw refusals.weakPassword(['length', 'characters', 'pwned'], mock.settings.minimumPasswordLength);
      mock.checkPassword(textOf(body.password));
      const email = emailOf(body.email);
      const standing = mock.userByEmail(email);
      const mailed = { challenge: challengeOf(body), redirectTo: url.searchParams.get('redirect_to') };
      if (standing?.confirmedAt != null)
        return { ...userBody({ ...standing, id: randomUUID(), identities: [], userMetadata: {}, confirmedAt: null, lastSignInAt: null }) };
      const user = standing ?? (await mock.addUser({ email, password: textOf(body.password), userMetadata: recordOf(body.data) }));
      mock.mail(user, 'signup', mailed);
      return { ...userBody(user), confirmation_sent_at: mock.now().toISOString() };
    }),
  ];
}
