import type { RouterContextProvider } from 'react-router';
import { problem } from '#app/components/page/problem.server.ts';
import { API_KEY_SCOPES } from '#app/contracts/people.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { isServedResource } from '#app/domain/people/served-resource.ts';

/**
 * Names the server that lets clients in at an address (RFC 9728), whether there is such a workspace or not: that is nobody's business before. Pages of any
 * site may read it.
 */
export function describeResource(path: string, context: Readonly<RouterContextProvider>): Response {
  const { origin, authorization } = context.get(servicesContext);
  const resource = `${origin}${path}`;
  if (!isServedResource(resource, origin)) return problem('not_found', 'Nothing is served at this address.');
  const body = {
    resource,
    authorization_servers: [authorization.issuer],
    scopes_supported: API_KEY_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Quorate',
    resource_documentation: `${origin}/docs/connect`,
  };
  return Response.json(body, { headers: { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' } });
}
