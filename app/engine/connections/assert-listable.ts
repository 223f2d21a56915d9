import { type PeerCapability, PeerError } from '#app/engine/connections/peer.ts';
import { garbage } from '#app/engine/connections/peer-failure.ts';

/** What one command can approve, and more than a person looks through. */
const MAX_CAPABILITIES = 2_000;
/** MCP 2026-07-28 (Tools, names) ends at 128; a name is a key in the database, where some 2,700 bytes are the end. */
const MAX_NAME_LENGTH = 256;

/**
 * Refuses a list in which a name does not say which capability is meant: approval and call go by it.
 * @throws PeerError peerGarbage, or peerTooLarge for a list that nobody could look through
 */
export function assertListable(capabilities: readonly PeerCapability[], protocol: 'MCP' | 'A2A' | 'HTTP'): void {
  if (capabilities.length > MAX_CAPABILITIES) throw new PeerError({ key: 'peerTooLarge', values: {}, retryable: false });
  const names = new Set(capabilities.map(({ name }) => name));
  if (names.size < capabilities.length) throw garbage(protocol);
  for (const name of names) if (name === '' || name.length > MAX_NAME_LENGTH || name.includes('\0')) throw garbage(protocol);
}
