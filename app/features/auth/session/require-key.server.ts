import { createHash } from 'node:crypto';
import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { problem } from '#app/components/page/problem.server.ts';
import type { KeyAccess } from '#app/contracts/access.ts';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { API_KEY_SHAPE, API_KEY_TRACE } from '#app/domain/people/api-key-scopes.ts';
import { countFailure } from '#app/engine/limits/count-failure.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';

const KEY_PARAMETER = /^(?:api[_-]?key|key|token|access_token|authorization)$/i;

/**
 * Middleware of the addresses that programs call: `Authorization: Bearer qk_…` and nothing else says who calls; cookies play no part. A key in
 * the address is refused even when it is right, because addresses stand in logs. With several scopes any one of them is enough. The key is
 * looked at first: only failures count against an address, and a known key has a pace of its own.
 */
export function requireKey(...scopes: readonly [ApiKeyScope, ...ApiKeyScope[]] | []): MiddlewareFunction<Response> {
  return keyMiddleware(scopes, false);
}

/** `requireKey` of the addresses that answer by the workflows in force: with their digest, in the same statement. */
export function requireServedKey(): MiddlewareFunction<Response> {
  return keyMiddleware(['runs:start'], true);
}

function keyMiddleware(scopes: readonly ApiKeyScope[], serves: boolean): MiddlewareFunction<Response> {
  return async ({ request, url, context }, next) => {
    if (holdsKey(url)) return problem('invalid_input', 'Send the key in the header Authorization, never in the address.');
    const opened = await openKey(request, context, serves);
    if (opened instanceof Response) return opened;
    if (scopes.length > 0 && !scopes.some((scope) => opened.key.scopes.includes(scope)))
      return problem('forbidden', `This key lacks the scope ${scopes.join(' or ')}.`, {
        headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
      });
    context.set(keyContext, opened);
    const response = await next();
    // A card says for itself how long it may be kept.
    if (!response.headers.has('ETag')) response.headers.set('Cache-Control', 'private, no-store');
    return response;
  };
}

async function openKey(request: Request, context: Readonly<RouterContextProvider>, serves: boolean): Promise<KeyAccess | Response> {
  const { access, paceCeilings } = context.get(servicesContext);
  const secret = /^Bearer ([^\s]+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
  if (secret === undefined) return unauthenticated('Send an API key: Authorization: Bearer qk_…');
  if (!API_KEY_SHAPE.test(secret)) return failed(context, 'This is no API key.');
  try {
    const opened = await access.openKey(createHash('sha256').update(secret).digest(), { paceCeiling: paceCeilings.keys, serves });
    return opened.waitSeconds > 0 ? tooMany(opened.waitSeconds) : opened;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'unauthenticated' || error.code === 'forbidden'))
      return failed(context, 'This API key is unknown, over or revoked.');
    throw error;
  }
}

async function failed(context: Readonly<RouterContextProvider>, message: string): Promise<Response> {
  const wait = await countFailure(context.get(servicesContext).access.asNobody, 'wrongKeys', clientBlock(context));
  return wait > 0 ? tooMany(wait) : unauthenticated(message);
}

function holdsKey(url: URL): boolean {
  return [...url.searchParams].some(([name, value]) => KEY_PARAMETER.test(name) || API_KEY_TRACE.test(value));
}

function unauthenticated(message: string): Response {
  return problem('unauthenticated', message, { headers: { 'WWW-Authenticate': 'Bearer realm="quorate"' } });
}

function tooMany(seconds: number): Response {
  return problem('over_limit', `Too many calls. Wait ${seconds} seconds.`, { headers: { 'Retry-After': String(seconds) } });
}
