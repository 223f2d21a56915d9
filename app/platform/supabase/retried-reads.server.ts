const RETRIED = new Set([502, 503, 504]);

/** Retries a read once when the network or the gateway fails. A change is never sent twice; a token refresh has retries of its own. */
export function retryReads(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    if (method !== 'GET' && method !== 'HEAD') return inner(input, init);
    try {
      const response = await inner(input, init);
      if (!RETRIED.has(response.status)) return response;
      await response.body?.cancel();
    } catch (error) {
      // The client has left, or waited long enough.
      const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
      if (signal?.aborted || (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))) throw error;
    }
    return inner(input, init);
  };
}
