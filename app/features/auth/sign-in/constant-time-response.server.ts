/** Returns leave at multiples of this. */
const BEAT_MS = 500;

/**
 * Does the work and answers at the end of a beat, so that how long it took does not tell whether an account exists (a hosted service checks
 * a password only where there is one: 1 to 3 ms against 100 to 170). Failures wait like successes.
 */
export async function constantTimeResponse<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const left = BEAT_MS - ((performance.now() - startedAt) % BEAT_MS);
    await new Promise((resolve) => setTimeout(resolve, left));
  }
}
