/** A row of a list in the order of names; what has the same name is told apart by `id`, a UUID. */
export type NamedKey = { id: string; name: string };

const KEY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(.{0,200})$/su;

/** After which row the next page begins, as an address carries it. */
export function writeNamedKey({ id, name }: NamedKey): string {
  return id + name;
}

/** The same parsed; null for the first page, and for an invalid key. */
export function readNamedKey(text: string | null): NamedKey | null {
  const [, id, name] = KEY.exec(text ?? '') ?? [];
  return id === undefined || name === undefined ? null : { id, name };
}

/** One page out of `size` + 1 rows that were read, and where the next one begins; null: it was the last. */
export function cutPage<Row extends NamedKey>(rows: readonly Row[], size: number): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { shown, next: rows.length > size && last !== undefined ? writeNamedKey(last) : null };
}
