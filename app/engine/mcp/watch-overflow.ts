import { type OutgoingCallError, outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';

/** The same stream; `onOverflow` is called when it is cut off for its size or the number of its events. */
export function watchOverflow(
  stream: ReadableStream<Uint8Array>,
  onOverflow: (error: OutgoingCallError) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        const failure = outgoingCallErrorIn(error);
        if (failure?.failure === 'too_large' || failure?.failure === 'too_many_events') onOverflow(failure);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
