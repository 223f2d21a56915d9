/**
 * The Merkle tree of RFC 9162 section 2.1, from stored hashes of complete subtrees. A node (level, index) is the hash over
 * the leaves index·2^level … (index+1)·2^level − 1; level 0 are the leaves. Such a hash never changes once its leaves are
 * there, so a log that grows only adds rows, and every proof is read from at most some sixty of them.
 * Sizes and indexes are integers below 2^53. The hash function comes from the caller: nothing here knows a platform.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;
export type NodeRef = { level: number; index: number };
export type Node = NodeRef & { hash: Uint8Array };
export type NodeLookup = (ref: NodeRef) => Uint8Array;

/** One entry of a proof: the complete subtrees whose hashes, folded from the right, make it. Left to right. */
export type ProofPart = NodeRef[];

export function leafHash(sha256: Sha256, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + data.length);
  bytes[0] = 0x00;
  bytes.set(data, 1);
  return sha256(bytes);
}

export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + left.length + right.length);
  bytes[0] = 0x01;
  bytes.set(left, 1);
  bytes.set(right, 1 + left.length);
  return sha256(bytes);
}

/** The root of a tree of `size` leaves as one part: its complete subtrees, the widest first. Empty for an empty tree. */
export function rootPart(size: number): ProofPart {
  return coverRange(0, size);
}

/** Parts of PATH(index, D[size]) in the order of the RFC: from the leaf's sibling to the root's child. */
export function inclusionParts(index: number, size: number): ProofPart[] {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) throw new RangeError('no such leaf');
  const parts: ProofPart[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      parts.push(coverRange(middle, to));
      to = middle;
    } else {
      parts.push(coverRange(from, middle));
      from = middle;
    }
  }
  return parts.reverse();
}

/** Parts of PROOF(first, D[second]): nothing between equal sizes, and nothing from the empty tree. */
export function consistencyParts(first: number, second: number): ProofPart[] {
  if (!(Number.isSafeInteger(first) && Number.isSafeInteger(second) && first >= 0 && first <= second))
    throw new RangeError('no such sizes');
  if (first === 0 || first === second) return [];
  const parts: ProofPart[] = [];
  let from = 0;
  let to = second;
  let wholeSoFar = true;
  while (to !== first) {
    const middle = from + largestPowerBelow(to - from);
    if (first <= middle) {
      parts.push(coverRange(middle, to));
      to = middle;
    } else {
      parts.push(coverRange(from, middle));
      from = middle;
      wholeSoFar = false;
    }
  }
  if (!wholeSoFar) parts.push(coverRange(from, to));
  return parts.reverse();
}

/** The hash that a part stands for; the hash of nothing for an empty part (the root of an empty tree). */
export function hashPart(sha256: Sha256, part: ProofPart, lookup: NodeLookup): Uint8Array {
  return (
    part.reduceRight<Uint8Array | undefined>(
      (right, ref) => (right === undefined ? lookup(ref) : nodeHash(sha256, lookup(ref), right)),
      undefined,
    ) ?? sha256(new Uint8Array(0))
  );
}

/**
 * Adds leaves to a tree of `size`, whose complete subtrees (`rootPart(size)`) `lookup` knows. Returns every node that became complete,
 * leaves included, and the new root.
 */
export function appendLeaves(
  sha256: Sha256,
  size: number,
  lookup: NodeLookup,
  leaves: readonly Uint8Array[],
): { nodes: Node[]; root: Uint8Array } {
  const edge: Node[] = rootPart(size).map((ref) => ({ ...ref, hash: lookup(ref) }));
  const nodes: Node[] = [];
  leaves.forEach((hash, offset) => {
    let node: Node = { level: 0, index: size + offset, hash };
    nodes.push(node);
    for (let left = edge.at(-1); left !== undefined && left.level === node.level; left = edge.at(-1)) {
      edge.pop();
      node = { level: node.level + 1, index: left.index / 2, hash: nodeHash(sha256, left.hash, node.hash) };
      nodes.push(node);
    }
    edge.push(node);
  });
  const known = new Map(edge.map((node) => [nodeKey(node), node.hash]));
  return { nodes, root: hashPart(sha256, rootPart(size + leaves.length), lookupIn(known)) };
}

/** `level/index`: the name of a node in maps of them. */
export function nodeKey(ref: NodeRef): string {
  return `${ref.level}/${ref.index}`;
}

/** A lookup that refuses to make something up: a missing node means that the stored log has a hole. */
export function lookupIn(known: ReadonlyMap<string, Uint8Array>): NodeLookup {
  return (ref) => {
    const hash = known.get(nodeKey(ref));
    if (hash === undefined) throw new RangeError(`node ${nodeKey(ref)} of the log is missing`);
    return hash;
  };
}

/** Complete subtrees that cover the leaves from…to−1, widest first within the alignment; ranges of proofs begin aligned. */
function coverRange(from: number, to: number): ProofPart {
  const part: ProofPart = [];
  let start = from;
  while (start < to) {
    const width = largestPowerBelow(to - start + 1);
    part.push({ level: Math.log2(width), index: start / width });
    start += width;
  }
  return part;
}

/** The largest power of two that is smaller than n (n of 2 or more). Without shifts: these stop at 2^31. */
function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}
