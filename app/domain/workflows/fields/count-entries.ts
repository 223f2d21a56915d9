/** The entries of all lists in a value. */
export function countEntries(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((count, one) => count + countEntries(one), 0);
  return Array.isArray(value) ? inside + value.length : inside;
}
