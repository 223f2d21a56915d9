/** As long as an address may be, less what tells two of them apart. */
const LONGEST = 44;

/** An address made of a name, which none of `taken` is: in the characters that an address may hold. */
export function addressOfName(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
  const own = plain === '' ? 'gateway' : plain;
  const others = Array.from({ length: taken.length }, (_, index) => `${own}-${index + 2}`);
  return [own, ...others].find((address) => !taken.includes(address)) ?? own;
}
