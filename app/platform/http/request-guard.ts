import type { NextFunction, Request, Response } from 'express';
import { hostName, isLoopback } from '#app/domain/connections/loopback.ts';
import type { ErrorCode } from '#app/domain/errors.ts';
import { isForeignPost } from '#app/domain/web/foreign-post.ts';
import { isProgramPath, PROBLEM_TYPE, problemBody } from '#app/domain/web/problem.ts';

const PAGE_METHODS = ['GET', 'HEAD', 'POST'];
/** The types that forms send. Any other would bypass the check of the form's workspace, and no page uses one. */
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;
const PROGRAM_METHODS = [...PAGE_METHODS, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Asked every few seconds by whatever watches the instance, under any name: `/livez`, whether the process answers; `/readyz`, whether it can
 * do its work, its database included; `/healthz` is an older name of the latter.
 */
export const PROBES = { live: '/livez', ready: ['/readyz', '/healthz'] } as const;
export const isProbe = (path: string): boolean => path === PROBES.live || PROBES.ready.some((probe) => path === probe);
/** Its figures, for whoever has the token. Where none is set, an address like any other that there is not. */
export const METRICS_PATH = '/metrics';

const CODES: Partial<Record<number, ErrorCode>> = {
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  429: 'over_limit',
  503: 'unavailable',
};

/** One line with nothing that an attacker could learn from: plain for people, as RFC 9457 has it for programs. */
export function refuse(response: Response, status: number, line: string): void {
  response.status(status).set('Cache-Control', 'no-store');
  if (!isProgramPath(response.req.path)) return void response.type('text/plain').send(`${line}\n`);
  response.type(PROBLEM_TYPE).send(JSON.stringify(problemBody(CODES[status] ?? 'invalid_input', line, status)));
}

/**
 * True when the Host header names this instance. On a loopback origin every loopback name does (a person may type
 * 127.0.0.1 for localhost); a name that a foreign page has pointed here (DNS rebinding) does not.
 */
export function isOwnHost(host: string, origin: URL): boolean {
  const name = hostName(host);
  const address = `${origin.protocol}//${host}`;
  // a port beyond 65535 has the form of a host, and is none
  if (name === '' || !URL.canParse(address)) return false;
  if (isLoopback(origin.hostname) && isLoopback(name)) return true;
  return new URL(address).host === origin.host;
}

/** Refuses what no route should have to think of: foreign hosts, odd methods, forms posted by other sites. */
export function guardRequest(origin: URL) {
  return (request: Request, response: Response, next: NextFunction) => {
    if (isProbe(request.path)) return next();
    const host = request.host ?? '';
    if (!isOwnHost(host, origin)) {
      return refuse(response, 421, `This instance answers as ${origin.origin}. Set QUORATE_URL to the address that people use.`);
    }
    const path = pathOf(request, origin);
    const program = isProgramPath(path);
    const methods = program ? PROGRAM_METHODS : PAGE_METHODS;
    if (!methods.includes(request.method)) {
      response.set('Allow', methods.join(', '));
      return refuse(response, 405, 'This method is not allowed here.');
    }
    if (!program && request.method === 'POST' && !isForeignPost(path) && !isSameOrigin(request, origin)) {
      return refuse(response, 403, 'This form was sent from another site.');
    }
    if (!program && request.method === 'POST' && !FORM_TYPE.test(request.get('Content-Type') ?? '')) {
      return refuse(response, 415, 'Send this as a form.');
    }
    next();
  };
}

/** The path as the router will read it: `/api/../auth` is not an address for programs. */
export function pathOf(request: Request, origin: URL): string {
  const address = `${origin.origin}${request.originalUrl}`;
  return URL.canParse(address) ? new URL(address).pathname : '';
}

/** No Origin header means no browser form of another site: browsers send it with every cross-origin POST. */
function isSameOrigin(request: Request, origin: URL): boolean {
  const from = request.get('Origin');
  if (from === undefined) return request.get('Sec-Fetch-Site') !== 'cross-site';
  if (!URL.canParse(from)) return false;
  const sender = new URL(from);
  return (
    sender.origin === origin.origin || (isLoopback(origin.hostname) && sender.protocol === origin.protocol && sender.host === request.host)
  );
}
