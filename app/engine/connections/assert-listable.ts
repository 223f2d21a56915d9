import type { PeerCapability } from '#app/contracts/peer.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { garbage } from '#app/engine/connections/peer-failure.ts';

/** More than a person looks through. */
const MAX_CAPABILITIES = 2_000;
/** Pages of a list that are read: more of them bring nothing that could be taken. */
export const MAX_LIST_PAGES = 20;
/** MCP 2026-07-28 (Tools, names) ends at 128; a name is a key in the database, where some 2,700 bytes are the end. */
const MAX_NAME_LENGTH = 256;

/**
 * Refuses a list in which a name does not say which capability is meant: approval and call go by it.
 * @throws PeerError peerGarbage, or peerListTooLong for a list that nobody could look through
 */
export function assertListable(capabilities: readonly PeerCapability[], protocol: 'MCP' | 'A2A' | 'HTTP'): void {
  if (capabilities.length > MAX_CAPABILITIES) throw listTooLong();
  const names = new Set(capabilities.map(({ name }) => name));
  if (names.size < capabilities.length) throw garbage(protocol);
  for (const name of names) if (name === '' || name.length > MAX_NAME_LENGTH || name.includes('\0')) throw garbage(protocol);
}

/** Not a large answer, which asking for less would make smaller: the peer offers too much. */
export function listTooLong(cause?: unknown): PeerError {
  return new PeerError({ key: 'peerListTooLong', values: { limit: MAX_CAPABILITIES, pages: MAX_LIST_PAGES }, retryable: false }, { cause });
}
