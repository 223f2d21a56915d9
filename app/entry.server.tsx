import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';
import { pageTextsOf } from '#app/platform/i18n/page-texts.server.ts';
import { I18nextProvider } from '#app/platform/i18n/react-texts.ts';
import { keptPageContext, nonceContext, requestIdContext, servicesContext } from '#app/request-context.ts';

export const streamTimeout = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> | Response {
  const language = getLanguage(context);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  headers.set('Content-Language', language);
  // Its nonce is for this answer alone, and its language for this reader.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const nonce = optional(context, nonceContext);
  const agent = request.headers.get('User-Agent');
  const waitForAll = (agent !== null && isbot(agent)) || routerContext.isSpaMode || context.get(keptPageContext);

  return new Promise((resolve, reject) => {
    let shellSent = false;
    const partsFailed: unknown[] = [];
    const answer = () => {
      shellSent = true;
      for (const error of partsFailed) handleError(error, { request, context });
      // A page with a part that failed is good for nobody else.
      if (partsFailed.length > 0) headers.set('Cache-Control', 'private, no-store');
      const body = new PassThrough({
        final(done) {
          // A timer left running keeps the whole render alive until it fires.
          clearTimeout(timer);
          done();
        },
        destroy(error, done) {
          clearTimeout(timer);
          done(error);
        },
      });
      const stream = createReadableStreamFromReadable(body);
      pipe(body);
      resolve(new Response(stream, { status, headers }));
    };
    const { pipe, abort } = renderToPipeableStream(
      <I18nextProvider i18n={pageTextsOf(language)}>
        <ServerRouter context={routerContext} url={request.url} {...(nonce ? { nonce } : {})} />
      </I18nextProvider>,
      {
        ...(nonce ? { nonce } : {}),
        // Large parts would come behind their fallbacks, for a script to put into place: here all must stand without one.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onShellReady: waitForAll ? undefined : answer,
        onAllReady: waitForAll ? answer : undefined,
        onShellError(error) {
          clearTimeout(timer);
          reject(error);
        },
        onError(error) {
          // Before the shell is there, it may be the failure of one part, or of the shell itself, which rejects above and is reported there.
          if (shellSent) handleError(error, { request, context });
          else partsFailed.push(error);
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout + 1_000);
  });
}

/** What a loader, an action or a render threw and nobody meant: one line of the log, under the id that the person is shown. */
export function handleError(error: unknown, { request, context }: { request: Request; context: Readonly<RouterContextProvider> }): void {
  // Whoever has gone away, or asked for what is not there, is no defect of ours.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const id = optional(context, requestIdContext);
  optional(context, servicesContext)?.log.error('request failed', { ...(id ? { request: id } : {}), error });
}

/** A context value, or undefined where nothing has set it: the development server of the router alone sets none. */
function optional<T>(context: Readonly<RouterContextProvider>, key: RouterContext<T>): T | undefined {
  try {
    return context.get(key);
  } catch {
    return undefined;
  }
}
