import { createContext, isRouteErrorResponse, type MiddlewareFunction } from 'react-router';
import { clientContext, requestIdContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError, type ErrorCode } from '#app/domain/errors.ts';
import { isProgramPath, PROBLEM_TYPE, problemBody, protocolFailure } from '#app/domain/web/problem.ts';

/** The body of this request, as far as it has been read: why it was refused, or null. */
export const bodyContext = createContext<{ readonly refusal: AppError | null }>({ refusal: null });

/** Seconds after which a caller may try again when the database is away or all connections are taken. */
const UNAVAILABLE_SECONDS = '5';

/** Tells programs of a failure: RFC 9457, in English, with a code of the closed list. A 503 says when to try again. */
export function problem(code: ErrorCode, detail: string, more: { status?: number; headers?: Record<string, string> } = {}): Response {
  const body = problemBody(code, detail, more.status);
  const headers = new Headers({ 'Content-Type': PROBLEM_TYPE, 'Cache-Control': 'no-store', ...more.headers });
  if (body.status === 503 && !headers.has('Retry-After')) headers.set('Retry-After', UNAVAILABLE_SECONDS);
  return Response.json(body, { status: body.status, headers });
}

const DETAILS: Record<ErrorCode, string> = {
  not_found: 'There is no such thing here, or this key may not see it.',
  forbidden: 'This key may not do that.',
  unauthenticated: 'This API key is unknown, over or revoked.',
  invalid_input: 'The input does not fit.',
  conflict: 'This is not possible as things stand.',
  too_large: 'The body is too large.',
  halted: 'This workspace is halted. Nothing starts until it is released.',
  over_limit: 'Too many calls.',
  quota_exceeded: 'The executions of this plan are used up for this month.',
  unavailable: 'The service is not available right now. Nothing was changed. Try again later.',
};

/** The sentence for an expected failure. */
export function detailOf(error: AppError): string {
  if (error.values.what === 'queue') return `Too many runs wait for their start already. Try again in ${error.values.seconds} seconds.`;
  if (error.values.what === 'paused') return 'This workflow is paused.';
  if (error.values.what === 'idempotencyKey') return 'This Idempotency-Key was used for a start with another body.';
  if (error.values.what === 'fields') return `A form has at most ${error.values.limit} fields.`;
  if (error.values.what === 'depth') return 'The body is nested too deeply.';
  if (error.code === 'too_large') return `The body has at most ${error.values.limit} KB.`;
  if (error.code === 'invalid_input' && error.values.fields !== undefined) return `The input does not fit: ${error.values.fields}.`;
  if (error.values.what === 'gateway') return 'This gateway is not for this key. Its builder or an admin says who may call it.';
  if (error.values.what === 'workflows') return `The ${error.values.limit} workflows of this plan are made.`;
  return DETAILS[error.code];
}

function problemOf(error: AppError, path: string): Response {
  const { seconds } = error.values;
  if (error.code === 'unavailable') return serviceFailure(path, 503, detailOf(error), seconds);
  return problem(error.code, detailOf(error), seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } });
}

/** The service is unavailable: a problem, or the error format of the protocol. */
function serviceFailure(path: string, status: 500 | 503, detail: string, seconds?: string | number): Response {
  const headers: Record<string, string> = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  const body = protocolFailure(path, status, detail);
  if (body === null) return problem('unavailable', detail, { status, headers });
  if (status === 503) headers['Retry-After'] ??= UNAVAILABLE_SECONDS;
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}

/** Expected failures of `work` as problems, or as the protocol of this path has them; a defect is thrown on. */
export async function withProblems(work: () => Promise<Response>, path = ''): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return problemOf(error, path);
  }
}

const onlyReads = () => problem('invalid_input', 'This address only reads.', { status: 405, headers: { Allow: 'GET, HEAD' } });

/** A cookie that was set over https is never sent without it, whatever it holds. */
function secureCookies(headers: Headers): void {
  const cookies = headers.getSetCookie();
  headers.delete('Set-Cookie');
  for (const cookie of cookies) headers.append('Set-Cookie', /;\s*secure\b/i.test(cookie) ? cookie : `${cookie}; Secure`);
}

/**
 * Outermost middleware. A 503 says when to try again, and a program gets every failure as a problem, also one that happens before its route (the key cannot be looked up, the
 * database is away) and one that nobody expected. A body beyond its limits is told as such, whatever the route made of its cut-off stream.
 */
export const answerFailures: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  if (!isProgramPath(url.pathname)) {
    const response = await next();
    if (context.get(clientContext).secure) secureCookies(response.headers);
    if (response.status === 503 && !response.headers.has('Retry-After')) response.headers.set('Retry-After', UNAVAILABLE_SECONDS);
    return response;
  }
  try {
    const response = await next();
    const { refusal } = context.get(bodyContext);
    if (refusal !== null) return problemOf(refusal, url.pathname);
    // The router's own answer for an address without an action lacks the header Allow.
    return response.status === 405 && !response.headers.has('Allow') ? onlyReads() : response;
  } catch (error) {
    if (error instanceof AppError) return problemOf(error, url.pathname);
    if (isRouteErrorResponse(error) && error.status === 405) return onlyReads();
    if (isRouteErrorResponse(error) || error instanceof Response) throw error;
    const reference = context.get(requestIdContext);
    context.get(servicesContext).log.error('request failed', { request: reference, method: request.method, path: url.pathname, error });
    return serviceFailure(url.pathname, 500, `Something went wrong. Reference: ${reference}.`);
  }
};
