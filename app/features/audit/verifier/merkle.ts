import { type Bytes, canonical, sameBytes, sha256, utf8 } from '#app/features/audit/verifier/bytes.ts';

export type Head = { origin: string; size: number; root: Bytes };

/** MTH of RFC 9162 section 2.1.1, level by level: a lone node at the end of a level rises as it is. */
export async function rootOf(hashes: Bytes[]): Promise<Bytes> {
  if (hashes.length === 0) return await sha256();
  let level = hashes;
  while (level.length > 1) {
    const next: Bytes[] = [];
    for (let n = 0; n < level.length; n += 2) {
      const left = level[n] as Bytes;
      const right = level[n + 1];
      next.push(right === undefined ? left : await parent(left, right));
    }
    level = next;
  }
  return level[0] as Bytes;
}

/** RFC 9162 section 2.1.3.2. */
export async function provesInclusion(leaf: Bytes, index: number, head: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (index >= head.size) return false;
  let fn = BigInt(index);
  let sn = BigInt(head.size) - 1n;
  let r = leaf;
  for (const p of proof) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      r = await parent(p, r);
      while (fn % 2n === 0n && fn !== 0n) {
        fn /= 2n;
        sn /= 2n;
      }
    } else r = await parent(r, p);
    fn /= 2n;
    sn /= 2n;
  }
  return sn === 0n && sameBytes(r, head.root);
}

/** RFC 9162 section 2.1.4.2. */
export async function provesConsistency(first: Head, second: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && sameBytes(first.root, second.root);
  if (first.size === 0) return proof.length === 0 && sameBytes(first.root, await sha256());
  const isPower = (BigInt(first.size) & (BigInt(first.size) - 1n)) === 0n;
  const [seed, ...path] = isPower ? [first.root, ...proof] : proof;
  if (seed === undefined || proof.length === 0) return false;
  let fn = BigInt(first.size) - 1n;
  let sn = BigInt(second.size) - 1n;
  while (fn % 2n === 1n) {
    fn /= 2n;
    sn /= 2n;
  }
  let fr = seed;
  let sr = seed;
  for (const c of path) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      fr = await parent(c, fr);
      sr = await parent(c, sr);
      while (fn % 2n === 0n && fn !== 0n) {
        fn /= 2n;
        sn /= 2n;
      }
    } else sr = await parent(sr, c);
    fn /= 2n;
    sn /= 2n;
  }
  return sn === 0n && sameBytes(fr, first.root) && sameBytes(sr, second.root);
}

export async function leafHash(value: unknown): Promise<Bytes> {
  return await sha256(new Uint8Array([0]), utf8(canonical(value)));
}

async function parent(left: Bytes, right: Bytes): Promise<Bytes> {
  return await sha256(new Uint8Array([1]), left, right);
}
