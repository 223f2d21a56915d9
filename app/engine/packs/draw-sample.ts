import { hash } from 'node:crypto';

/** The key by which records are drawn: SHA-256 (hex) over seed, a newline, and the record's id. The lowest keys are the sample. */
export function sampleKey(seed: string, id: string): string {
  return hash('sha256', `${seed}\n${id}`, 'hex');
}

/** Keeps the records with the lowest keys, as many as `size`, of any number that are offered one after the other. */
export class Sample<T> {
  readonly #size: number;
  /** By key, the lowest first. */
  #kept: { key: string; item: T }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  offer(key: string, item: T): void {
    const last = this.#kept.at(-1);
    if (this.#kept.length >= this.#size && last !== undefined && key >= last.key) return;
    const place = this.#kept.findIndex((one) => key < one.key);
    this.#kept.splice(place < 0 ? this.#kept.length : place, 0, { key, item });
    if (this.#kept.length > this.#size) this.#kept.pop();
  }

  /** In the order in which they were drawn. */
  items(): T[] {
    return this.#kept.map(({ item }) => item);
  }
}
