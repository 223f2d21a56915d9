type Kept<T> = { value: T; weight: number };

/** Keeps what was used last, up to `most` in weight altogether. What alone weighs more is not kept. */
export class WeightedCache<T> {
  readonly #most: number;
  readonly #kept = new Map<string, Kept<T>>();
  #weight = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    // To the end of the line.
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  set(key: string, value: T, weight: number): void {
    this.delete(key);
    if (weight > this.#most) return;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest] of this.#kept) {
      if (this.#weight <= this.#most) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
