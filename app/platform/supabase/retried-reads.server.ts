const RETRIED = new Set([502, 503, 504]);

/**
 * Asks once more for what can be asked twice, when the network or the gateway fails (specification, sections 8 and 9: one retry). What
 * changes something is never sent twice; a refresh has a budget of its own.
 */
export function retryReads(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    if (method !== 'GET' && method !== 'HEAD') return inner(input, init);
    try {
      const response = await inner(input, init);
      if (!RETRIED.has(response.status)) return response;
      await response.body?.cancel();
    } catch (error) {
      // Who asked has gone, or has waited long enough.
      const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
      if (signal?.aborted || (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))) throw error;
    }
    return inner(input, init);
  };
}
