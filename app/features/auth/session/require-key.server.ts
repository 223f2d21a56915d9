import { createHash } from 'node:crypto';
import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { problem } from '#app/components/page/problem.server.ts';
import type { KeyAccess } from '#app/contracts/access.ts';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import { clientContext, keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { API_KEY_SHAPE, API_KEY_TRACE } from '#app/domain/people/api-key-scopes.ts';
import { isWithinResource, resourceAt } from '#app/domain/people/served-resource.ts';
import { isWithinRanges } from '#app/engine/limits/address-ranges.ts';
import { countFailure } from '#app/engine/limits/count-failure.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';

/** A key, or the token of a client, which has no prefix. */
const BEARER_SHAPE = new RegExp(`${API_KEY_SHAPE.source}|^[A-Za-z0-9_-]{43}$`);
const KEY_PARAMETER = /^(?:api[_-]?key|key|token|access_token|authorization)$/i;

/**
 * Middleware of the addresses that programs call: `Authorization: Bearer`, with a key (`qk_…`) or with the token of a client that a person has
 * let in, and nothing else says who calls; cookies play no part. A token opens the address that it was made out for, and no other. A key in
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
    const opened = await openKey({ request, url, context }, serves);
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

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

async function openKey(asked: Asked, serves: boolean): Promise<KeyAccess | Response> {
  const { access, paceCeilings } = asked.context.get(servicesContext);
  const secret = /^Bearer ([^\s]+)$/i.exec(asked.request.headers.get('Authorization') ?? '')?.[1];
  if (secret === undefined) return unauthenticated(asked, 'Send an API key: Authorization: Bearer qk_…');
  if (!BEARER_SHAPE.test(secret)) return failed(asked, 'This is no API key.');
  try {
    const opened = await access.openKey(createHash('sha256').update(secret).digest(), { paceCeiling: paceCeilings.keys, serves });
    if (opened.resource !== null && !isWithinResource(asked.url.pathname, opened.resource))
      return unauthenticated(asked, 'This token is for another address.', 'invalid_token');
    if (!isWithinRanges(asked.context.get(clientContext).address, opened.networks))
      return failed(asked, 'This API key may not be used from this address.');
    return opened.waitSeconds > 0 ? tooMany(opened.waitSeconds) : opened;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'unauthenticated' || error.code === 'forbidden'))
      return failed(asked, 'This API key is unknown, over or revoked.');
    throw error;
  }
}

async function failed(asked: Asked, message: string): Promise<Response> {
  const wait = await countFailure(asked.context.get(servicesContext).access.asNobody, 'wrongKeys', clientBlock(asked.context));
  return wait > 0 ? tooMany(wait) : unauthenticated(asked, message, 'invalid_token');
}

/** RFC 9728: where a client learns who lets it in. RFC 6750: what was wrong with what it sent. */
function unauthenticated({ url, context }: Asked, message: string, error?: 'invalid_token'): Response {
  const resource = resourceAt(url.pathname);
  const where = `${context.get(servicesContext).origin}/.well-known/oauth-protected-resource${resource}`;
  const parts = [
    'realm="quorate"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(resource === null ? [] : [`resource_metadata="${where}"`]),
  ];
  return problem('unauthenticated', message, { headers: { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` } });
}

function holdsKey(url: URL): boolean {
  return [...url.searchParams].some(([name, value]) => KEY_PARAMETER.test(name) || API_KEY_TRACE.test(value));
}

function tooMany(seconds: number): Response {
  return problem('over_limit', `Too many calls. Wait ${seconds} seconds.`, { headers: { 'Retry-After': String(seconds) } });
}
