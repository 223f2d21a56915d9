/** Our name and addresses, as authorization servers read them. `metadataUrl`: where they read it; null where we are not served over https, as they ask for. */
export type OurClient = { name: string; origin: string; redirectUrl: string; metadataUrl: string | null };

/** Fixed for good: authorization servers know us by these addresses. */
export const CLIENT_METADATA_PATH = '/mcp-client/metadata.json';
export const SIGN_IN_RETURN_PATH = '/dashboard/plugins/sign-in/return';

export function ourClient(origin: string): OurClient {
  return {
    name: 'Quorate',
    origin,
    redirectUrl: `${origin}${SIGN_IN_RETURN_PATH}`,
    metadataUrl: origin.startsWith('https://') ? `${origin}${CLIENT_METADATA_PATH}` : null,
  };
}

/** The public description of us, as registrations and the document at `metadataUrl` have it. */
export function ourMetadata({ name, origin, redirectUrl }: OurClient) {
  return {
    client_name: name,
    client_uri: origin,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
