import { randomBytes } from 'node:crypto';

/** Lower case letters of ASCII, digits and dashes; names in other scripts get a neutral word. */
export function slugFor(name: string, distinct: boolean): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  const base = plain === '' ? 'workspace' : plain;
  return distinct || plain === '' ? `${base}-${randomBytes(3).toString('hex')}` : base;
}
