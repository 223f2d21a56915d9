/** A Cedar string: its escapes are those of JSON but for the way in which a code point is written. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/\\u([0-9a-f]{4})|\\[bf]/g, (sign, hex: string | undefined) =>
    hex === undefined ? (sign === '\\b' ? '\\u{8}' : '\\u{c}') : `\\u{${hex}}`,
  );
}
