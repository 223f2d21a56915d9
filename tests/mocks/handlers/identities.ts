import { HttpResponse } from 'msw';
import { endpoint } from '#tests/mocks/handlers/endpoint.ts';
import { type MockBackend, userBody } from '#tests/mocks/mock-backend.ts';
import { MockRefusal } from '#tests/mocks/mock-refusal.ts';

/** The providers that a user may sign in with: where to go to link one, and unlinking. */
export function identityHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'get', '/auth/v1/user/identities/authorize', ({ request, url }) => {
      mock.caller(request);
      const provider = url.searchParams.get('provider') ?? '';
      if (!mock.settings.providers.includes(provider))
        throw new MockRefusal(400, 'provider_disabled', `Unsupported provider: provider is not enabled`);
      const target = new URL(`https://${provider}.invalid/authorize`);
      target.searchParams.set('redirect_to', url.searchParams.get('redirect_to') ?? mock.settings.siteUrl);
      if (url.searchParams.get('skip_http_redirect') === 'true') return { url: target.href };
      return new HttpResponse(null, { status: 302, headers: { Location: target.href } });
    }),
    endpoint(mock, 'delete', '/auth/v1/user/identities/:identity', async ({ request, params }) => {
      const { user } = mock.caller(request);
      if (!user.identities.some(({ identityId }) => identityId === params.identity))
        throw new MockRefusal(404, 'identity_not_found', "Identity doesn't exist");
      if (user.identities.length <= 1)
        throw new MockRefusal(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking');
      user.identities = user.identities.filter(({ identityId }) => identityId !== params.identity);
      await mock.saveUser(user);
      return userBody(user);
    }),
  ];
}
