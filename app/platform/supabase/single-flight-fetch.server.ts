type Kept = { status: number; statusText: string; headers: [string, string][]; body: string };

/** For this long, a repeated refresh gets the same answer: prefetches and parallel requests of a page fall within it. */
export const REFRESH_SHARED_MS = 10_000;

/**
 * Lets one refresh token be exchanged once at a time: requests that come together share its answer. Without it the second exchange
 * looks like a theft, and ends the session.
 * A failure to reach the service is not kept.
 */
export function singleFlightRefresh(inner: typeof fetch): typeof fetch {
  const underway = new Map<string, Promise<Kept>>();

  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const token = url.includes('grant_type=refresh_token') ? refreshTokenOf(init?.body) : null;
    if (token === null) return inner(input, init);
    let exchange = underway.get(token);
    if (exchange === undefined) {
      // The first asker may go away; the answer belongs to all of them.
      exchange = inner(input, { ...init, signal: null }).then(keep);
      underway.set(token, exchange);
      const forget = () => underway.delete(token);
      exchange.then((kept) => (kept.status >= 500 ? forget() : setTimeout(forget, REFRESH_SHARED_MS).unref()), forget);
    }
    const kept = await exchange;
    return new Response(kept.body, { status: kept.status, statusText: kept.statusText, headers: kept.headers });
  };
}

/** The token in the JSON body of an exchange; null when there is none. */
export function refreshTokenOf(body: unknown): string | null {
  if (typeof body !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null || !('refresh_token' in parsed)) return null;
    return typeof parsed.refresh_token === 'string' ? parsed.refresh_token : null;
  } catch {
    return null;
  }
}

async function keep(response: Response): Promise<Kept> {
  return { status: response.status, statusText: response.statusText, headers: [...response.headers], body: await response.text() };
}
