import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { leafHash, type Sha256 } from '#app/domain/audit/merkle.ts';

/** The content of an event: erased when a person's data must go, while its digest stays. */
export type AuditBody = {
  actor: { kind: string; id: string | null; name: string | null };
  action: string;
  resource: { kind: string; id: string; name: string | null };
  payload: Json;
};

/** SHA-256 over salt and canonical body. Without the salt (32 random bytes) an erased body cannot be guessed from it. */
export function bodyDigest(sha256: Sha256, salt: Uint8Array, body: AuditBody): Uint8Array {
  const text = new TextEncoder().encode(canonicalJson(body));
  const bytes = new Uint8Array(salt.length + text.length);
  bytes.set(salt);
  bytes.set(text, salt.length);
  return sha256(bytes);
}

/**
 * Leaf hash of an event: over the canonical JSON of `{ v: 1, id, workspace, at, body }`, where `at` is UTC in ISO 8601 with
 * milliseconds and `body` the body's digest in hex. Nothing else of the row has a part in it.
 */
export function eventLeafHash(sha256: Sha256, event: { id: string; workspaceId: string; at: Date; bodyDigest: Uint8Array }): Uint8Array {
  const leaf = { v: 1, id: event.id, workspace: event.workspaceId, at: event.at.toISOString(), body: hex(event.bodyDigest) };
  return leafHash(sha256, new TextEncoder().encode(canonicalJson(leaf)));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
