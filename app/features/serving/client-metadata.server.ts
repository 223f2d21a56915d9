import type { RouterContextProvider } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { ourClient, ourMetadata } from '#app/domain/connections/our-client.ts';

/** The document by which authorization servers know us (Client ID Metadata Document): its own address is our client id. */
export function clientMetadata(context: Readonly<RouterContextProvider>): Response {
  const client = ourClient(context.get(servicesContext).origin);
  const document = {
    client_id: client.metadataUrl ?? '',
    ...ourMetadata(client),
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  };
  return Response.json(document, { headers: { 'cache-control': 'public, max-age=3600' } });
}
