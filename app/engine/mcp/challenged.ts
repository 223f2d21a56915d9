import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { PeerError } from '#app/engine/connections/peer.ts';

/**
 * Throws an answer that asks for a sign-in, or for one that reaches further, with what it names: the SDK would begin one itself, and drops the
 * header otherwise.
 */
export async function challenged(response: Response): Promise<Response> {
  if (response.status !== 401 && response.status !== 403) return response;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  if (response.status === 403 && error !== 'insufficient_scope') return response;
  await response.body?.cancel();
  const challenge = { metadata: resourceMetadataUrl?.href ?? null, scope: scope ?? null };
  throw new PeerError({ key: 'peerUnauthorized', values: { status: response.status }, retryable: false, challenge });
}
