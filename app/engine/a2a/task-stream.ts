import { formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk';

/** Proxies between a caller and us close a connection that stays silent. */
const HEARTBEAT_MS = 25_000;

/**
 * Events as they come, as server-sent events. The first is waited for, so that what fails at once is answered as plain JSON.
 * `failed`: a later failure as an event; `gone` is aborted when the caller has left.
 */
export async function streamOf(
  events: AsyncIterator<unknown>,
  { failed, gone }: { failed: (error: unknown) => string; gone: AbortController },
): Promise<Response> {
  const first = await events.next();
  let next: IteratorResult<unknown> | undefined = first;
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), HEARTBEAT_MS);
    },
    async pull(controller) {
      try {
        const event = next ?? (await events.next());
        next = undefined;
        if (event.done !== true) return controller.enqueue(encoder.encode(formatSSEEvent(event.value)));
      } catch (error) {
        controller.enqueue(encoder.encode(failed(error)));
      }
      clearInterval(heartbeat);
      controller.close();
    },
    cancel() {
      clearInterval(heartbeat);
      gone.abort();
    },
  });
  const { Connection: _hopByHop, ...headers } = SSE_HEADERS;
  return new Response(body, { headers });
}
