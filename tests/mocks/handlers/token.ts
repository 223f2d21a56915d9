import { createHash, timingSafeEqual } from 'node:crypto';
import { type Asked, emailOf, endpoint, textOf } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';
import type { Challenge, MockUser } from '#tests/mocks/mock-types.ts';

/** POST token, with its four grants. */
export function tokenHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'post', '/auth/v1/token', (asked) => {
      switch (asked.url.searchParams.get('grant_type')) {
        case 'password':
          return byPassword(mock, asked);
        case 'refresh_token':
          return byRefreshToken(mock, asked);
        case 'pkce':
          return byCode(mock, asked);
        case 'id_token':
          return byIdToken(mock, asked);
        default:
          throw new MockRefusal(400, 'invalid_credentials', 'unsupported_grant_type');
      }
    }),
  ];
}

async function byPassword(mock: MockBackend, { body, scenario }: Asked) {
  if (scenario === 'rate-limited') throw refusals.tooManyRequests();
  if (scenario === 'wrong-password') throw refusals.invalidCredentials();
  if (scenario === 'unconfirmed') throw refusals.notConfirmed();
  const password = textOf(body.password);
  if (password === '' || textOf(body.email) === '') throw refusals.invalid('missing email or phone');
  const user = mock.userByEmail(emailOf(body.email));
  if (user === undefined || user.password !== password) throw refusals.invalidCredentials();
  refuseBanned(mock, user);
  if (user.confirmedAt === null) throw refusals.notConfirmed();
  return mock.openSession(user, 'password');
}

async function byRefreshToken(mock: MockBackend, { body, scenario }: Asked) {
  if (scenario === 'session-not-found') throw new MockRefusal(400, 'session_not_found', 'Invalid Refresh Token: No Valid Session Found');
  const token = textOf(body.refresh_token);
  if (token === '') throw refusals.invalid('refresh_token required');
  const exchanged = await mock.exchangeRefreshToken(token);
  if (exchanged === 'unknown') throw new MockRefusal(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
  if (exchanged === 'reused') throw new MockRefusal(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
  refuseBanned(mock, exchanged.user);
  return mock.sessionBody(exchanged.user, exchanged.session, exchanged.next);
}

async function byCode(mock: MockBackend, { body }: Asked) {
  const code = textOf(body.auth_code);
  const verifier = textOf(body.code_verifier);
  if (code === '' || verifier === '') throw refusals.invalid('invalid request: both auth code and code verifier should be non-empty');
  const flow = mock.takeAuthCode(code);
  const user = flow && mock.users.get(flow.userId);
  if (!flow || !user) throw new MockRefusal(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
  if (flow.expiresAt <= mock.now().getTime())
    throw new MockRefusal(403, 'flow_state_expired', 'invalid flow state, flow state has expired');
  if (!provesChallenge(flow.challenge, verifier))
    throw new MockRefusal(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
  return mock.openSession(user, flow.method);
}

/** RFC 7636, section 4.6. */
function provesChallenge({ challenge, method }: Challenge, verifier: string): boolean {
  const proof = Buffer.from(method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'));
  const expected = Buffer.from(challenge);
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

/** A token of a provider that is switched on. The mock's providers sign with the mock's own key. */
async function byIdToken(mock: MockBackend, { body }: Asked) {
  const provider = textOf(body.provider);
  if (provider === '' || textOf(body.id_token) === '') throw refusals.invalid('id_token required');
  if (!mock.settings.providers.includes(provider))
    throw new MockRefusal(400, 'provider_disabled', `Provider (issuer "${provider}") is not enabled`);
  const claims = mock.signer.verified(textOf(body.id_token), mock.now());
  if (claims === null || claims.iss !== provider) throw new MockRefusal(400, 'bad_jwt', 'Bad ID token');
  const email = emailOf(claims.email);
  const user =
    mock.userByEmail(email) ?? (await mock.addUser({ email, confirmedAt: mock.now(), appMetadata: { provider, providers: [provider] } }));
  refuseBanned(mock, user);
  return mock.openSession(user, 'oauth');
}

function refuseBanned(mock: MockBackend, user: MockUser): void {
  if (user.bannedUntil !== null && user.bannedUntil > mock.now()) throw new MockRefusal(400, 'user_banned', 'User is banned');
}
