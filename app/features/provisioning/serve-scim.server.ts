import type { RouterContextProvider } from 'react-router';
import { directoryContext, servicesContext } from '#app/contracts/request-context.ts';
import { resourceTypes, schemas, serviceProviderConfig } from '#app/engine/directory/discovery.ts';
import { keepRefusal } from '#app/engine/directory/keep-refusal.ts';
import type { Resource } from '#app/engine/directory/resources.ts';
import { notFound, ScimError } from '#app/engine/directory/scim-error.ts';
import { refusalOf, retryHeaders, scimAnswer, scimRefusal } from '#app/features/provisioning/scim-answer.server.ts';
import { callOf, listOf, notAllowed, type ScimCall } from '#app/features/provisioning/scim-call.server.ts';
import { serveGroups } from '#app/features/provisioning/scim-groups.server.ts';
import { serveUsers } from '#app/features/provisioning/scim-users.server.ts';

type Arguments = {
  request: Request;
  url: URL;
  params: { workspace: string; '*': string };
  context: Readonly<RouterContextProvider>;
};

/**
 * SCIM 2.0 of the workspace in the address, by its short name or id, for a directory with a token of that workspace; any other is not
 * found. What is refused is kept for the workspace's admins, reads that find nothing apart.
 */
export async function serveScim(args: Arguments): Promise<Response> {
  try {
    return await dispatch(args);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    await tellAdmins(args, refused);
    return scimRefusal(refused, retryHeaders(refused.status));
  }
}

async function dispatch({ request, url, params, context }: Arguments): Promise<Response> {
  const { id, slug } = context.get(directoryContext).directory.workspace;
  if (params.workspace !== slug && params.workspace !== id) throw new ScimError(404, 'There is no such workspace for this token.');
  const base = `${context.get(servicesContext).origin}/scim/v2/${params.workspace}`;
  const [kind = '', named = null, ...more] = params['*'].split('/').filter((part) => part !== '');
  const call: ScimCall = { request, params: url.searchParams, base, id: named, ...callOf(context) };
  if (more.length > 0) throw new ScimError(404, 'There is no such resource.');
  switch (kind) {
    case 'Users':
      return serveUsers(call);
    case 'Groups':
      return serveGroups(call);
    case 'ServiceProviderConfig':
      return reading(request, () => serviceProviderConfig(base));
    case 'ResourceTypes':
      return reading(request, () => described(resourceTypes(base), named, url));
    case 'Schemas':
      return reading(request, () => described(schemas(base), named, url));
    default:
      throw new ScimError(404, 'There is no such resource.');
  }
}

function reading(request: Request, work: () => unknown): Response {
  return request.method === 'GET' || request.method === 'HEAD' ? scimAnswer(work()) : notAllowed('GET, HEAD');
}

/** The documents that describe the service take no filter (RFC 7644, section 4). */
function described(all: Resource[], named: string | null, url: URL): unknown {
  if (url.searchParams.has('filter')) throw new ScimError(403, 'This list takes no filter.');
  if (named === null) return listOf({ total: all.length, startIndex: 1, items: all });
  const one = all.find(({ id }) => id === named);
  if (one === undefined) throw notFound('description', named);
  return one;
}

async function tellAdmins({ request, url, context }: Arguments, { status, message: detail }: ScimError): Promise<void> {
  const { read } = context.get(directoryContext);
  const { newId, log } = context.get(servicesContext);
  if (status === 401 || status === 503 || (status === 404 && request.method === 'GET')) return;
  const call = { id: newId(), method: request.method, path: url.pathname, status, detail };
  await read((db) => keepRefusal(db, call)).catch((error: unknown) => log.error('a refused call of a directory was not kept', { error }));
}
