import type { RouterContextProvider } from 'react-router';
import type { AuthClient } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

type ApartClient = { client: AuthClient; sign(): void };

/**
 * The client for calls that make the service send an e-mail. Embedded, its cookies are dropped: links carry a token hash, and the cookie
 * that the library sets in passing would differ between an address that has an account and one that has none. Hosted, its default
 * link needs that cookie (PKCE), and the service hides the difference itself, or `hideUnknownAddresses` does.
 * `sign` keeps the cookies after all, when the call has opened a session.
 */
export function openMailClient(context: Readonly<RouterContextProvider>, request: Request): ApartClient {
  const { identity } = context.get(servicesContext);
  return identity.mode === 'hosted' ? { client: context.get(authContext).client, sign() {} } : openApart(context, request);
}

/** A client with this request's session, whose cookies reach the browser only by `sign`. */
export function openApart(context: Readonly<RouterContextProvider>, request: Request): ApartClient {
  const { identity } = context.get(servicesContext);
  const auth = context.get(authContext);
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
      for (const [name, value] of headers) {
        if (name === 'set-cookie') auth.headers.append(name, value);
        else auth.headers.set(name, value);
      }
    },
  };
}
