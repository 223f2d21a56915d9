import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { cachedPageContext, nonceContext, requestIdContext, servicesContext } from '#app/contracts/request-context.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';
import { pageTextsOf } from '#app/platform/i18n/page-texts.server.ts';
import { I18nextProvider } from '#app/platform/i18n/react-texts.ts';

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
  const waitForAll = (agent !== null && isbot(agent)) || routerContext.isSpaMode || context.get(cachedPageContext);

  return new Promise((resolve, reject) => {
    let shellSent = false;
    const partsFailed: unknown[] = [];
    const answer = () => {
      shellSent = true;
      for (const error of partsFailed) handleError(error, { request, context });
      // A page with a failed part must not be cached for anyone else.
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
        // Without scripts nothing could move late parts into their place, so the whole page is rendered first.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onShellReady: waitForAll ? undefined : answer,
        onAllReady: waitForAll ? answer : undefined,
        onShellError(error) {
          clearTimeout(timer);
          reject(error);
        },
        onError(error) {
          // Before the shell is there, the failure may be one part's, or the shell's own: that one rejects above and is reported there.
          if (shellSent) handleError(error, { request, context });
          else partsFailed.push(error);
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout + 1_000);
  });
}

/** An unexpected error in a loader, an action or a render: one line of the log, under the id that the person is shown. */
export function handleError(error: unknown, { request, context }: { request: Request; context: Readonly<RouterContextProvider> }): void {
  // A client that went away, or a page that does not exist, is no defect of ours.
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
