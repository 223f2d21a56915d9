import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendLeaves,
  consistencyParts,
  hashPart,
  inclusionParts,
  leafHash,
  lookupIn,
  nodeHash,
  nodeKey,
  type ProofPart,
  rootPart,
} from '#app/domain/audit/merkle.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

/** Leaves, roots and proofs of the Certificate Transparency reference implementation (merkle_tree_test). */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaf = (n: number) => leafHash(sha256, bytes(LEAVES[n] ?? ''));

function treeOf(leaves: Uint8Array[]) {
  const { nodes, root } = appendLeaves(sha256, 0, lookupIn(new Map()), leaves);
  const lookup = lookupIn(new Map(nodes.map((node) => [nodeKey(node), node.hash])));
  return { root, lookup, proof: (parts: ProofPart[]) => parts.map((part) => hex(hashPart(sha256, part, lookup))) };
}

/** The definitions of RFC 9162 sections 2.1.1, 2.1.3.1 and 2.1.4.1, word by word. */
function mth(d: Uint8Array[]): Uint8Array {
  if (d.length === 0) return sha256(new Uint8Array(0));
  if (d.length === 1) return d[0] as Uint8Array;
  const k = split(d.length);
  return nodeHash(sha256, mth(d.slice(0, k)), mth(d.slice(k)));
}
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
function path(m: number, d: Uint8Array[]): Uint8Array[] {
  if (d.length === 1) return [];
  const k = split(d.length);
  return m < k ? [...path(m, d.slice(0, k)), mth(d.slice(k))] : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
}
function subproof(m: number, d: Uint8Array[], b: boolean): Uint8Array[] {
  if (m === d.length) return b ? [] : [mth(d)];
  const k = split(d.length);
  return m <= k ? [...subproof(m, d.slice(0, k), b), mth(d.slice(k))] : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))];
}

describe('Merkle tree of RFC 9162', () => {
  it('has the published roots, grown one by one and at once', () => {
    for (const [size, root] of ROOTS.entries()) expect(hex(treeOf(LEAVES.slice(0, size).map((_, n) => leaf(n))).root)).toBe(root);
    const known = new Map<string, Uint8Array>();
    for (let n = 0; n < LEAVES.length; n++) {
      const { nodes, root } = appendLeaves(sha256, n, lookupIn(known), [leaf(n)]);
      for (const node of nodes) known.set(nodeKey(node), node.hash);
      expect(hex(root)).toBe(ROOTS[n + 1]);
    }
  });

  it.each([
    [0, 1, []],
    [
      0,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      5,
      8,
      [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
    [
      1,
      5,
      [
        '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('has the published inclusion proof of leaf %i in %i', (index, size, proof) => {
    expect(treeOf(LEAVES.slice(0, size).map((_, n) => leaf(n))).proof(inclusionParts(index, size))).toEqual(proof);
  });

  it.each([
    [1, 1, []],
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('has the published consistency proof from %i to %i', (first, second, proof) => {
    expect(treeOf(LEAVES.slice(0, second).map((_, n) => leaf(n))).proof(consistencyParts(first, second))).toEqual(proof);
  });

  it('agrees with the definitions of the RFC at every size up to 70', () => {
    const all = Array.from({ length: 70 }, (_, n) => leafHash(sha256, new Uint8Array([n])));
    const { proof } = treeOf(all);
    for (let size = 1; size <= all.length; size++) {
      const d = all.slice(0, size);
      expect(proof([rootPart(size)])).toEqual([hex(mth(d))]);
      for (let n = 0; n < size; n++) expect(proof(inclusionParts(n, size))).toEqual(path(n, d).map(hex));
      for (let n = 1; n <= size; n++) expect(proof(consistencyParts(n, size))).toEqual(subproof(n, d, true).map(hex));
    }
  });

  it('grows to the same tree however the leaves are parted into batches', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }), (batches) => {
        const known = new Map<string, Uint8Array>();
        const all: Uint8Array[] = [];
        for (const count of batches) {
          const batch = Array.from({ length: count }, (_, n) => leafHash(sha256, new Uint8Array([all.length + n, count])));
          const { nodes, root } = appendLeaves(sha256, all.length, lookupIn(known), batch);
          for (const node of nodes) {
            expect(known.has(nodeKey(node))).toBe(false);
            known.set(nodeKey(node), node.hash);
          }
          all.push(...batch);
          expect(hex(root)).toBe(hex(mth(all)));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('places proofs of very large trees without 32-bit arithmetic', () => {
    const size = 2 ** 40 + 3;
    expect(rootPart(size)).toEqual([
      { level: 40, index: 0 },
      { level: 1, index: 2 ** 39 },
      { level: 0, index: 2 ** 40 + 2 },
    ]);
    expect(inclusionParts(2 ** 40, size).flat()).toContainEqual({ level: 40, index: 0 });
  });

  it('refuses leaves and sizes that do not exist', () => {
    expect(() => inclusionParts(3, 3)).toThrow(RangeError);
    expect(() => inclusionParts(-1, 3)).toThrow(RangeError);
    expect(() => consistencyParts(4, 3)).toThrow(RangeError);
    expect(() => hashPart(sha256, rootPart(3), lookupIn(new Map()))).toThrow('missing');
  });
});
