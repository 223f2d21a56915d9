/** Supabase as the product calls it, for MSW: in `npm run dev:mocked`, in Vitest, and checked by the contract suite. */
import { getResponse, type HttpHandler } from 'msw';
import { adminUserHandlers } from '#tests/mocks/handlers/admin-users.ts';
import { edgeFunctionHandlers } from '#tests/mocks/handlers/edge-functions.ts';
import { factorHandlers } from '#tests/mocks/handlers/factors.ts';
import { identityHandlers } from '#tests/mocks/handlers/identities.ts';
import { mailLinkHandlers } from '#tests/mocks/handlers/mail-links.ts';
import { profileHandlers } from '#tests/mocks/handlers/profiles.ts';
import { projectHandlers } from '#tests/mocks/handlers/project.ts';
import { realtimeHandlers } from '#tests/mocks/handlers/realtime.ts';
import { signUpHandlers } from '#tests/mocks/handlers/sign-up.ts';
import { storageHandlers } from '#tests/mocks/handlers/storage.ts';
import { tableHandlers } from '#tests/mocks/handlers/tables.ts';
import { tokenHandlers } from '#tests/mocks/handlers/token.ts';
import { userHandlers } from '#tests/mocks/handlers/user.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import type { MockSettings } from '#tests/mocks/mock-types.ts';

/** All handlers of one mocked project. A new endpoint is a line here and a file in `handlers/`. */
export function createHandlers(mock: MockBackend): HttpHandler[] {
  return [
    ...projectHandlers(mock),
    ...signUpHandlers(mock),
    ...tokenHandlers(mock),
    ...mailLinkHandlers(mock),
    ...userHandlers(mock),
    ...identityHandlers(mock),
    ...factorHandlers(mock),
    ...storageHandlers(mock),
    ...adminUserHandlers(mock),
    ...profileHandlers(mock),
    ...tableHandlers(mock),
    ...edgeFunctionHandlers(mock),
    ...realtimeHandlers(mock),
  ];
}

/** A `fetch` that reaches the handlers and nothing else: a request that none of them answers fails. */
export function fetchMocked(mock: MockBackend): typeof fetch {
  const handlers = createHandlers(mock);
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await getResponse(handlers, request);
    if (response === undefined)
      throw new TypeError('fetch failed', { cause: new Error(`no handler for ${request.method} ${request.url}`) });
    if (response.type === 'error') throw new TypeError('fetch failed', { cause: new Error('the network was cut') });
    return response;
  };
}

export const MOCK_DEFAULTS: MockSettings = {
  url: 'https://mocked.supabase.invalid',
  siteUrl: 'http://localhost:3000',
  publishableKey: 'sb_publishable_mocked',
  secretKey: 'sb_secret_mocked',
  minimumPasswordLength: 6,
  mailPaceSeconds: 60,
  accessTokenSeconds: 3_600,
  providers: ['google'],
  signUpOpen: true,
};
