import type { NextFunction, Request, Response } from 'express';
import type { Log } from '#app/domain/ports.ts';

/** The address for a log: the token of an invitation is a secret of the person who was invited. */
export const loggedPath = (path: string) => path.replace(/^(\/invitations\/)[^/]+/, '$1…');

/** One line a request, without its query string: links from mails carry their token there. */
export function logRequests(log: Log, requestId: (response: Response) => string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const began = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const ms = Math.round((performance.now() - began) * 10) / 10;
      log.info('request', {
        method,
        path: loggedPath(path),
        status: response.statusCode,
        ms,
        request: requestId(response),
        ...(response.writableFinished ? {} : { cut: true }),
      });
    });
    next();
  };
}
