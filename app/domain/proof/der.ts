/** Tags of what an RFC 3161 answer holds. */
export const TAG = { boolean: 0x01, integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, time: 0x18, sequence: 0x30, set: 0x31, zero: 0xa0 };

/** One value of DER (X.690): `content` without, `whole` with its tag and length. */
export type Der = { tag: number; content: Uint8Array; whole: Uint8Array };

/** The value at the beginning of these bytes. @throws RangeError where there is none, or it is longer than the bytes */
export function readDer(bytes: Uint8Array): Der {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new RangeError('DER: no tag and length');
  const more = first < 0x80 ? 0 : first & 0x7f;
  // 0x80 alone is the indefinite length of BER; four bytes are more than any answer has.
  if (first === 0x80 || more > 4) throw new RangeError('DER: a length that there is not');
  const length = more === 0 ? first : bytes.subarray(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = 2 + more + length;
  if (end > bytes.length) throw new RangeError('DER: cut off');
  return { tag, content: bytes.subarray(2 + more, end), whole: bytes.subarray(0, end) };
}

/** The values inside of one that has this tag and is made of others. @throws RangeError */
export function childrenOf({ tag, content }: Der, wanted: number = TAG.sequence): Der[] {
  if (tag !== wanted) throw new RangeError('DER: another tag');
  const children: Der[] = [];
  for (let at = 0; at < content.length; ) {
    const child = readDer(content.subarray(at));
    children.push(child);
    at += child.whole.length;
  }
  return children;
}

/** The bytes of a value with this tag and these parts, one after the other. */
export function writeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return new Uint8Array([tag, ...head, ...parts.flatMap((part) => [...part])]);
}

/** `1.3.6.1` in its bytes. */
export function writeOid(text: string): Uint8Array {
  const [one = 0, two = 0, ...rest] = text.split('.').map(Number);
  const bytes = [one * 40 + two, ...rest].flatMap((number) => {
    const groups = [number % 128];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left % 128) + 128);
    return groups;
  });
  return writeDer(TAG.oid, new Uint8Array(bytes));
}

/** The other way round. @throws RangeError */
export function readOid({ tag, content }: Der): string {
  if (tag !== TAG.oid) throw new RangeError('DER: no object identifier');
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const one = Math.min(2, Math.floor(first / 40));
  return [one, first - one * 40, ...rest].join('.');
}

/** `20261127010203.5Z` as a date. @throws RangeError */
export function readTime({ tag, content }: Der): Date {
  const text = String.fromCharCode(...content);
  const [, y, mo, d, h, mi, s, fraction = ''] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text) ?? [];
  const at = new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}${fraction.slice(0, 4)}Z`);
  if (tag !== TAG.time || Number.isNaN(at.getTime())) throw new RangeError('DER: no time');
  return at;
}
