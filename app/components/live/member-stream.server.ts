import type { RouterContextProvider } from 'react-router';
import { type EventStream, openEventStream } from '#app/components/live/event-stream.server.ts';
import type { Log } from '#app/contracts/ports.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/** Begins to tell a stream of something; what it returns ends that. */
export type StreamSource = (stream: EventStream) => { stop(): void; onHeartbeat?(): void };

/**
 * Server-sent events of all these sources for a signed-in member. Ends with `over` within a second or two of their session's or their membership's end, in
 * whichever process that came about; `send` tells nothing from the moment on when that was seen.
 */
export function openMemberStream(context: Readonly<RouterContextProvider>, signal: AbortSignal, ...sources: StreamSource[]): Response {
  const { member, read } = context.get(memberContext);
  const { engine, log } = context.get(servicesContext);
  const { userId, sessionId, workspace } = member;
  return openEventStream(signal, (stream) => {
    const begun = sources.map((source) => source(stream));
    const unwatch = engine.watchAccess({ userId, sessionId, workspaceId: workspace.id }, async () => {
      try {
        await read(async () => null);
      } catch (error) {
        endStream(stream, error, log);
      }
    });
    return {
      onHeartbeat() {
        for (const { onHeartbeat } of begun) onHeartbeat?.();
      },
      stop() {
        unwatch();
        for (const { stop } of begun) stop();
      },
    };
  });
}

/** Ends a stream whose reader could not be checked: `over` where they have lost access, else they may reconnect. */
export function endStream(stream: EventStream, error: unknown, log: Pick<Log, 'warn'>): void {
  if (error instanceof AppError && (error.code === 'unauthenticated' || error.code === 'forbidden')) stream.send('over', {});
  else log.warn('a stream could not be read for', { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
  stream.close();
}
