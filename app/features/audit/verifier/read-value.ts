import { type Bytes, fromHex } from '#app/features/audit/verifier/bytes.ts';

/** Values of a bundle, of which nothing is believed. Each throws where the value at this place is none of its kind. */
export function record(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${at}: not an object`);
  return value as Record<string, unknown>;
}
export function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${at}: not a list`);
  return value;
}
export function string(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new Error(`${at}: not a text`);
  return value;
}
export function whole(value: unknown, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(`${at}: not a whole number`);
  return value as number;
}
export function hashes(value: unknown, at: string): Bytes[] {
  return list(value, at).map((item, n) => {
    const bytes = fromHex(string(item, `${at}[${n}]`));
    if (bytes.length !== 32) throw new Error(`${at}[${n}]: not a SHA-256 hash`);
    return bytes;
  });
}
