import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendLeaves, consistencyParts, hashPart, inclusionParts, lookupIn, nodeKey } from '#app/domain/audit/merkle.ts';
import { proveConsistency } from '#app/witness/prove-consistency.ts';
import { leafOf, path, proof, treeHash } from '#tests/support/proof/second-verifier.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const RUNS = process.env.QUORATE_TEST_FULL ? 10_000 : 200;

/** The tree of the product over these leaves, with what it makes of a part of a proof. */
function grow(leaves: readonly Uint8Array[]) {
  const { nodes, root } = appendLeaves(sha256, 0, lookupIn(new Map()), leaves);
  const known = new Map(nodes.map((node) => [nodeKey(node), node.hash]));
  const hashes = (parts: Parameters<typeof hashPart>[1][]) => parts.map((part) => Buffer.from(hashPart(sha256, part, lookupIn(known))));
  return { root: Buffer.from(root), hashes };
}

test('the published vectors of Certificate Transparency hold for the reader who knows the RFC alone', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map((text) =>
    leafOf(Buffer.from(text, 'hex')),
  );
  const roots = [1, 2, 3, 7, 8].map((size) => treeHash(leaves.slice(0, size)).toString('hex'));
  expect(roots).toEqual([
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]);
});

test('the log, the witness and a reader who knows the RFC alone agree on random trees', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 12 }), { minLength: 1, maxLength: 70 }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      (entries, first, leaf, bit) => {
        const leaves = entries.map(leafOf);
        const old = first % (leaves.length + 1);
        const index = leaf % leaves.length;
        const whole = grow(leaves);
        expect(whole.root).toEqual(treeHash(leaves));
        expect(whole.hashes(inclusionParts(index, leaves.length))).toEqual(path(index, leaves));
        const parts = whole.hashes(consistencyParts(old, leaves.length));
        expect(parts).toEqual(proof(old, leaves));
        const [before, after] = [
          { size: old, root: treeHash(leaves.slice(0, old)) },
          { size: leaves.length, root: whole.root },
        ];
        expect(proveConsistency(before, after, parts)).toBe(true);
        if (old === 0) return;
        const flipped = Buffer.from(before.root);
        flipped[bit % 32] = (flipped[bit % 32] ?? 0) ^ (1 << (bit % 8));
        expect(proveConsistency({ ...before, root: flipped }, after, parts)).toBe(false);
        expect(proveConsistency(before, after, [...parts, flipped])).toBe(false);
        if (parts.length > 0) expect(proveConsistency(before, after, parts.slice(1))).toBe(false);
      },
    ),
    { numRuns: RUNS },
  );
});
