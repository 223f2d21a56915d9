import { randomUUID } from 'node:crypto';
import { endpoint, textOf } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';
import type { MockFactor, MockUser } from '#tests/mocks/mock-types.ts';
import { newTotpSecret, totpCode, totpStep } from '#tests/mocks/totp.ts';

const CHALLENGE_MS = 300_000;
const MAX_FACTORS = 10;

/** Second factors: enroll, challenge, verify, delete. Codes of a real authenticator app work. */
export function factorHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'post', '/auth/v1/factors', async ({ request, body }) => {
      const { user, session } = mock.caller(request);
      if (textOf(body.factor_type) !== 'totp') throw refusals.invalid('factor_type needs to be totp');
      const verified = user.factors.filter(({ status }) => status === 'verified');
      if (verified.length > 0 && session.assurance !== 'aal2')
        throw new MockRefusal(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
      if (user.factors.length >= MAX_FACTORS)
        throw new MockRefusal(422, 'too_many_enrolled_mfa_factors', 'Maximum number of verified factors reached, unenroll to continue');
      const friendlyName = textOf(body.friendly_name) || null;
      if (friendlyName !== null && user.factors.some((factor) => factor.friendlyName === friendlyName))
        throw new MockRefusal(
          422,
          'mfa_factor_name_conflict',
          `A factor with the friendly name "${friendlyName}" for this user already exists`,
        );
      const secret = newTotpSecret();
      const factor: MockFactor = { id: randomUUID(), friendlyName, secret, status: 'unverified', createdAt: mock.now(), usedStep: 0 };
      user.factors.push(factor);
      await mock.saveUser(user);
      const issuer = textOf(body.issuer) || new URL(mock.settings.siteUrl).host;
      const uri = `otpauth://totp/${encodeURIComponent(`${issuer}:${user.email}`)}?${new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: '6', period: '30' })}`;
      const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';
      return { id: factor.id, type: 'totp', friendly_name: friendlyName ?? '', totp: { qr_code: picture, secret, uri } };
    }),
    endpoint(mock, 'post', '/auth/v1/factors/:factor/challenge', ({ request, params, scenario }) => {
      if (scenario === 'rate-limited') throw refusals.tooManyRequests();
      const factor = factorOf(mock.caller(request).user, params.factor);
      const id = randomUUID();
      const expiresAt = mock.now().getTime() + CHALLENGE_MS;
      mock.challenges.set(id, { factorId: factor.id, expiresAt });
      return { id, type: 'totp', expires_at: Math.floor(expiresAt / 1000) };
    }),
    endpoint(mock, 'post', '/auth/v1/factors/:factor/verify', async ({ request, params, body }) => {
      const { user, session } = mock.caller(request);
      const factor = factorOf(user, params.factor);
      const challenge = mock.challenges.get(textOf(body.challenge_id));
      if (challenge?.factorId !== factor.id)
        throw new MockRefusal(404, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
      if (challenge.expiresAt <= mock.now().getTime()) {
        mock.challenges.delete(textOf(body.challenge_id));
        throw new MockRefusal(
          422,
          'mfa_challenge_expired',
          'MFA challenge has expired, verify against another challenge or create a new challenge.',
        );
      }
      const step = usableStep(factor, textOf(body.code), totpStep(mock.now()));
      if (step === null) throw new MockRefusal(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
      mock.challenges.delete(textOf(body.challenge_id));
      Object.assign(factor, { usedStep: step, status: 'verified' });
      session.assurance = 'aal2';
      session.methods = [...session.methods, 'totp'];
      // A session that has not shown the factor is not good enough any longer.
      await mock.endSessions((other) => other.userId === user.id && other.assurance === 'aal1');
      await mock.saveUser(user);
      return mock.sessionBody(user, session);
    }),
    endpoint(mock, 'delete', '/auth/v1/factors/:factor', async ({ request, params }) => {
      const { user, session } = mock.caller(request);
      const factor = factorOf(user, params.factor);
      if (factor.status === 'verified' && session.assurance !== 'aal2')
        throw new MockRefusal(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
      user.factors = user.factors.filter(({ id }) => id !== factor.id);
      if (factor.status === 'verified') session.assurance = 'aal1';
      await mock.saveUser(user);
      return { id: factor.id };
    }),
  ];
}

function factorOf(user: MockUser, id: string | undefined): MockFactor {
  const factor = user.factors.find((known) => known.id === id);
  if (factor === undefined) throw refusals.factorMissing();
  return factor;
}

/** The 30 s step that the code belongs to, one before and after allowed, when none so late has been used. */
function usableStep(factor: MockFactor, code: string, now: number): number | null {
  return [now, now - 1, now + 1].find((step) => step > factor.usedStep && totpCode(factor.secret, step) === code) ?? null;
}
