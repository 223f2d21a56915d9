/** A server that names a shorter time would be asked without end. */
const PAUSE_MS = 500;
const ATTEMPTS = 2;

/**
 * A server of 2025-11-25 may end the stream of a call that takes long, and tell the rest of it to whoever comes back with the id of its last
 * event (Streamable HTTP, Resumability). One comes back for as long as a call is under way: the SDK ties these streams to no call.
 */
export class ResumedStreams {
  #calls = 0;
  /** For the SDK's transport: how often, and when. */
  readonly options = {
    reconnectionOptions: {
      maxRetries: ATTEMPTS,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
    reconnectionScheduler: (comeBack: () => void, delayMs: number) => {
      const timer = setTimeout(
        () => {
          if (this.#calls > 0) comeBack();
        },
        Math.max(PAUSE_MS, delayMs),
      ).unref();
      return () => clearTimeout(timer);
    },
  };

  hold(): void {
    this.#calls += 1;
  }

  release(): void {
    this.#calls -= 1;
  }

  /** The other streams that a client may open are idle ones, which would stay open for nothing. */
  isOne(init: RequestInit | undefined): boolean {
    return new Headers(init?.headers).has('last-event-id');
  }
}
