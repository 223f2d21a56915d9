export type Repeated = {
  /** Ends the pause, or lets the work that is under way be followed by another at once. */
  wake(): void;
  /** Resolves when the work that is under way has ended; its signal is aborted. */
  stop(): Promise<void>;
};

export type RepeatOptions = {
  /** Milliseconds before the first time; 0: at once. */
  firstMs?: number;
  /** Returns the milliseconds to wait before the next time. */
  work(stopping: AbortSignal): Promise<number>;
  /** Told of what `work` threw and how often it has done so in a row. Returns the milliseconds to wait. Must not throw. */
  failed(error: unknown, failures: number): number;
};

/** Does some work again and again until it is stopped, never twice at once. The pauses do not keep a process alive. */
export function repeat({ firstMs = 0, work, failed }: RepeatOptions): Repeated {
  const stopping = new AbortController();
  let woken = false;
  let endPause: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    let failures = 0;
    let pauseMs = firstMs;
    while (!stopping.signal.aborted) {
      if (!woken && pauseMs > 0) await pause(pauseMs);
      woken = false;
      if (stopping.signal.aborted) return;
      try {
        pauseMs = await work(stopping.signal);
        failures = 0;
      } catch (error) {
        failures += 1;
        pauseMs = failed(error, failures);
      }
    }
  };
  const running = run();
  return {
    wake() {
      woken = true;
      endPause();
    },
    async stop() {
      stopping.abort();
      endPause();
      await running;
    },
  };
}
