const HEARTBEAT_MS = 25_000;
/** A stream ends after this, so that a session that was revoked meanwhile does not continue listening. */
const STREAM_MAX_MS = 10 * 60_000;
/** Messages that may wait for a client that reads nothing before it is given up. */
const WAITING_MAX = 64;

export type EventStream = {
  /** `data` is one JSON value. `id` is what the browser names as Last-Event-ID when it comes back. */
  send(event: string, data: unknown, id?: string): void;
  close(): void;
};

/**
 * Server-sent events: a comment every 25 s, an end after ten minutes, and everything freed as soon as nobody reads any longer. `start`
 * answers what ends its own work; `onHeartbeat` is called with each heartbeat.
 */
export function openEventStream(signal: AbortSignal, start: (stream: EventStream) => { stop(): void; onHeartbeat?(): void }): Response {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let open = true;
      const write = (text: string) => {
        if (!open) return;
        if ((controller.desiredSize ?? 0) < -WAITING_MAX) end();
        else controller.enqueue(encoder.encode(text));
      };
      let work: ReturnType<typeof start> | undefined;
      const heartbeat = setInterval(() => {
        write(': still here\n\n');
        if (open) work?.onHeartbeat?.();
      }, HEARTBEAT_MS).unref();
      const limit = setTimeout(() => end(), STREAM_MAX_MS).unref();
      end = () => {
        if (!open) return;
        open = false;
        clearInterval(heartbeat);
        clearTimeout(limit);
        work?.stop();
        // The caller that cancelled has closed it already.
        if (!signal.aborted) closeQuietly(controller);
      };
      signal.addEventListener('abort', () => end(), { once: true });
      write('retry: 1000\n\n');
      work = start({
        send: (event, data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        close: () => end(),
      });
      if (!open) work.stop();
    },
    cancel() {
      end();
    },
  });
  return new Response(body, { headers: HEADERS });
}

/** A stream that says only that its reader has no access and need not ask again: a page to sign in on is nothing an event source reads. */
export function answerOver(): Response {
  return new Response('event: over\ndata: {}\n\n', { headers: HEADERS });
}

const HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch (error) {
    // A cancelled stream refuses to be closed once more.
    if (!(error instanceof TypeError)) throw error;
  }
}
