import { createHash } from 'node:crypto';
import type { Head } from '#app/witness/read-request.ts';

const parent = (left: Buffer, right: Buffer) =>
  createHash('sha256')
    .update(new Uint8Array([1]))
    .update(left)
    .update(right)
    .digest();

/**
 * Whether the tree of `second` continues that of `first` (RFC 9162 section 2.1.4.2). Equal sizes need equal roots and no proof; from an
 * empty tree anything goes. A witness shares no code with the writers of the logs that it watches.
 */
export function proveConsistency(
  first: Pick<Head, 'size' | 'root'>,
  second: Pick<Head, 'size' | 'root'>,
  proof: readonly Buffer[],
): boolean {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root);
  if (first.size === 0) return proof.length === 0;
  let [node, last] = [BigInt(first.size) - 1n, BigInt(second.size) - 1n];
  while (node % 2n === 1n) [node, last] = [node / 2n, last / 2n];
  const path = node === 0n ? [first.root, ...proof] : [...proof];
  const seed = path.shift();
  if (seed === undefined || proof.length === 0) return false;
  let [old, fresh] = [seed, seed];
  for (const hash of path) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      [old, fresh] = [parent(hash, old), parent(hash, fresh)];
      while (node % 2n === 0n && node !== 0n) [node, last] = [node / 2n, last / 2n];
    } else fresh = parent(fresh, hash);
    [node, last] = [node / 2n, last / 2n];
  }
  return last === 0n && old.equals(first.root) && fresh.equals(second.root);
}
