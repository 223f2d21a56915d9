import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import type { DirectoryAccess } from '#app/contracts/access.ts';
import { clientContext, directoryContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import { hashDirectoryToken } from '#app/engine/directory/directory-token.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';
import { countFailure } from '#app/engine/limits/count-failure.ts';
import { scimRefusal } from '#app/features/provisioning/scim-answer.server.ts';

/** Calls a minute with one token: a first run of 10,000 people is over in less. */
const PACE = 12_000;

/** Middleware of the addresses of SCIM: `Authorization: Bearer qd_…` and nothing else says whose directory calls. Failures count as those of keys do. */
export const requireDirectory: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const opened = await openDirectory(request, context);
  if (opened instanceof Response) return opened;
  context.set(directoryContext, opened);
  return next();
};

async function openDirectory(request: Request, context: Readonly<RouterContextProvider>): Promise<DirectoryAccess | Response> {
  const secret = /^Bearer ([^\s]+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
  if (secret === undefined) return unauthenticated('Send the token of provisioning: Authorization: Bearer qd_…');
  const hash = hashDirectoryToken(secret);
  if (hash === null) return failed(context, 'This is no token of provisioning.');
  try {
    const opened = await context.get(servicesContext).access.openDirectory(hash, { paceCeiling: PACE });
    return opened.waitSeconds > 0 ? tooMany(opened.waitSeconds) : opened;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return failed(context, 'This token is unknown, over or revoked.');
    throw error;
  }
}

async function failed(context: Readonly<RouterContextProvider>, message: string): Promise<Response> {
  const wait = await countFailure(
    context.get(servicesContext).access.asNobody,
    'wrongKeys',
    addressBlock(context.get(clientContext).address),
  );
  return wait > 0 ? tooMany(wait) : unauthenticated(message);
}

const unauthenticated = (message: string) => scimRefusal(new ScimError(401, message), { 'WWW-Authenticate': 'Bearer realm="quorate"' });
const tooMany = (seconds: number) =>
  scimRefusal(new ScimError(429, `Too many calls. Wait ${seconds} seconds.`), { 'Retry-After': String(seconds) });
