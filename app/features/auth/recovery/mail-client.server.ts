import type { RouterContextProvider } from 'react-router';
import type { AuthClient } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

/**
 * The client for calls that make the service send an e-mail. Embedded, its cookies are dropped: links carry a token hash, and the cookie
 * that the library sets in passing would differ between an address that has an account and one that has none. Hosted, its default
 * link needs that cookie (PKCE), and the service hides the difference itself.
 * `sign` keeps the cookies after all, when the call has opened a session.
 */
export function openMailClient(context: Readonly<RouterContextProvider>, request: Request): { client: AuthClient; sign(): void } {
  const { identity } = context.get(servicesContext);
  const auth = context.get(authContext);
  if (identity.mode === 'hosted') return { client: auth.client, sign() {} };
  const { address, secure } = context.get(clientContext);
  const { client, headers } = identity.openClient({
    cookieHeader: request.headers.get('Cookie'),
    secure,
    clientAddress: address,
    language: getLanguage(context),
  });
  return {
    client,
    sign() {
      for (const [name, value] of headers) auth.headers.append(name, value);
    },
  };
}
