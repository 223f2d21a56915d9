/** Bytes, hashes and canonical JSON (RFC 8785) of the verifier: WebCrypto and nothing else. */
export type Bytes = Uint8Array<ArrayBuffer>;

export async function sha256(...parts: Bytes[]): Promise<Bytes> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function sameBytes(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && a.every((byte, n) => byte === b[n]);
}

export function toHex(bytes: Bytes): string {
  let text = '';
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text;
}

export function fromHex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error('not hexadecimal');
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

/** Only the canonical spelling, so that one signature has one text. */
export function fromBase64(text: string): Bytes {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new Error('not base64');
  }
  if (btoa(binary) !== text) throw new Error('not canonical base64');
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** RFC 8785. */
export function canonical(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new Error('a number that has no JSON');
      return value === 0 ? '0' : String(value);
    case 'string':
      if (!value.isWellFormed()) throw new Error('a text that has no UTF-8');
      return JSON.stringify(value);
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) {
        const items: string[] = [];
        for (const item of value) items.push(canonical(item));
        return `[${items.join()}]`;
      }
      const object = value as Record<string, unknown>;
      const members: string[] = [];
      for (const name of Object.keys(object).sort()) members.push(`${canonical(name)}:${canonical(object[name])}`);
      return `{${members.join()}}`;
    }
    default:
      throw new Error('a value that has no JSON');
  }
}
