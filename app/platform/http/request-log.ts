import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Log } from '#app/contracts/ports.ts';
import { isProbe, METRICS_PATH } from '#app/platform/http/request-guard.ts';
import type { RequestMetrics } from '#app/platform/metrics/request-metrics.ts';

/** The address for a log: the token of an invitation is a secret of the person who was invited. */
export const loggedPath = (path: string) => path.replace(/^(\/invitations\/)[^/]+/, '$1…');

/** One line a request, without its query string: links from mails carry their token there. */
export function logRequests(log: Log, requestId: (response: Response) => string, note?: RequestMetrics['note']) {
  return (request: Request, response: Response, next: NextFunction): void => {
    logRequest(log, { request, path: request.path, response, began: performance.now(), requestId: requestId(response), note });
    next();
  };
}

/** Whether the answer goes on until its reader leaves. */
export const isEventStream = (response: ServerResponse): boolean =>
  String(response.getHeader('Content-Type') ?? '').startsWith('text/event-stream');

/** Writes the line as soon as the answer has ended. `began` by `performance.now()`. */
export function logRequest(
  log: Log,
  arrived: {
    request: IncomingMessage;
    path: string;
    response: ServerResponse;
    began: number;
    requestId: string;
    note: RequestMetrics['note'] | undefined;
  },
): void {
  const { request, path, response, began, requestId, note } = arrived;
  const { method } = request;
  response.once('close', () => {
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const watched = isProbe(path) || path === METRICS_PATH;
    if (!watched) note?.({ path, status: response.statusCode, ms: isEventStream(response) ? null : ms });
    // Only an answer that the instance is not well is worth a line.
    if (watched && response.statusCode === 200) return;
    log.info('request', {
      method,
      path: loggedPath(path),
      status: response.statusCode,
      ms,
      request: requestId,
      ...(response.writableFinished ? {} : { cut: true }),
    });
  });
}
