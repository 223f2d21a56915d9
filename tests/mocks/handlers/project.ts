import { endpoint } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';

/** What a project says of itself: that it is well, what is switched on, and the keys that its tokens are checked with. */
export function projectHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'get', '/auth/v1/health', () => ({
      name: 'GoTrue',
      version: 'mocked',
      description: 'GoTrue is a user registration and authentication API',
    })),
    endpoint(mock, 'get', '/auth/v1/settings', () => ({
      external: { email: true, ...Object.fromEntries(mock.settings.providers.map((provider) => [provider, true])) },
      disable_signup: !mock.settings.signUpOpen,
      mailer_autoconfirm: false,
    })),
    endpoint(mock, 'get', '/auth/v1/.well-known/jwks.json', () => mock.signer.jwks),
  ];
}
