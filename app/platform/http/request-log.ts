import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Log } from '#app/contracts/ports.ts';
import { isProbe } from '#app/platform/http/request-guard.ts';

/** The address for a log: the token of an invitation is a secret of the person who was invited. */
export const loggedPath = (path: string) => path.replace(/^(\/invitations\/)[^/]+/, '$1…');

/** One line a request, without its query string: links from mails carry their token there. */
export function logRequests(log: Log, requestId: (response: Response) => string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    logRequest(log, { request, path: request.path, response, began: performance.now(), requestId: requestId(response) });
    next();
  };
}

/** Writes the line as soon as the answer has ended. `began` by `performance.now()`. */
export function logRequest(
  log: Log,
  arrived: { request: IncomingMessage; path: string; response: ServerResponse; began: number; requestId: string },
): void {
  const { request, path, response, began, requestId } = arrived;
  const { method } = request;
  response.once('close', () => {
    const ms = Math.round((performance.now() - began) * 10) / 10;
    // Only an answer that the instance is not well is worth a line.
    if (isProbe(path) && response.statusCode === 200) return;
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
