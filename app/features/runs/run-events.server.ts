import type { RouterContextProvider } from 'react-router';
import { AppError } from '#app/domain/errors.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

const HEARTBEAT_MS = 25_000;
/** A stream ends after this, so that a session that was revoked meanwhile does not go on listening. */
const STREAM_MAX_MS = 10 * 60_000;

/**
 * Server-sent events of one run: `change` whenever its journal has changed, a comment every 25 s. What changed is read
 * by the page's own loader, so that the stream carries nothing that needs a permission.
 */
export async function runEvents({
  request,
  params,
  context,
}: {
  request: Request;
  params: { run: string };
  context: Readonly<RouterContextProvider>;
}): Promise<Response> {
  const access = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const run = await access.read((db) => db.selectFrom('quorate.runs').where('id', '=', params.run).select('id').executeTakeFirst());
  if (run === undefined) throw new AppError('not_found');
  const encoder = new TextEncoder();
  let stop: () => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unwatch = engine.watchRun({ runId: run.id, workspaceId: access.member.workspace.id }, () =>
        send('event: change\ndata: {}\n\n'),
      );
      const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
      const end = setTimeout(() => {
        stop();
        controller.close();
      }, STREAM_MAX_MS);
      stop = () => {
        unwatch();
        clearInterval(heartbeat);
        clearTimeout(end);
      };
      request.signal.addEventListener('abort', stop, { once: true });
      send('retry: 1000\n\n');
    },
    cancel() {
      stop();
    },
  });
  return new Response(stream, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } });
}
