/**
 * The time one call has: ends with the caller's signal or after `timeoutMs`. In place of `AbortSignal.any` and
 * `AbortSignal.timeout`, whose timers and listeners outlive a call that was quick, tens of thousands of them under load.
 */
export class CallTime {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | null;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);

  constructor(timeoutMs: number, caller: AbortSignal | null = null) {
    this.#caller = caller;
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException('time is up', 'TimeoutError')), timeoutMs);
    this.#timer.unref();
    if (caller?.aborted === true) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the call now; the signal has this reason. */
  endWith(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Must be called when the call is over, however it ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

/** Waits for a promise that others wait for too, but no longer than the signal: then rejects with its reason. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
