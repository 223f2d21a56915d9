/**
 * A request for a mail to sign in is refused by the service where the address has no account and none shall be made. Here it counts as done:
 * the client library takes back its cookie after a refusal, which would tell browsers who has an account.
 */
export function hideUnknownAddresses(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const address = input instanceof Request ? input.url : String(input);
    if (response.status !== 422 || !new URL(address).pathname.endsWith('/auth/v1/otp')) return response;
    const refused: unknown = await response.clone().json();
    return codeOf(refused) === 'otp_disabled' ? Response.json({}) : response;
  };
}

/** The service names it `error_code`, or `code` to clients that name a version of its interface. */
function codeOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return null;
  if ('error_code' in body) return body.error_code;
  return 'code' in body ? body.code : null;
}
