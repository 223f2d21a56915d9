import type { Sample } from '#app/domain/metrics/exposition.ts';

/** Counts values up to bounds, apart by one label. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #label: string;
  readonly #series = new Map<string, { counts: number[]; sum: number; count: number }>();

  /** `bounds`: ascending; what lies above the last is counted too. `label`: its values must be few. */
  constructor(label: string, bounds: readonly number[]) {
    this.#label = label;
    this.#bounds = bounds;
  }

  observe(of: string, value: number): void {
    let series = this.#series.get(of);
    if (series === undefined) {
      series = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(of, series);
    }
    const place = this.#bounds.findIndex((bound) => value <= bound);
    if (place >= 0) series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sum += value;
    series.count += 1;
  }

  /** Each bucket with all smaller ones, as Prometheus adds them up. */
  samples(): Sample[] {
    return [...this.#series].flatMap(([of, { counts, sum, count }]) => {
      let below = 0;
      const buckets = this.#bounds.map((bound, place): Sample => {
        below += counts[place] ?? 0;
        return { of: 'bucket', labels: { [this.#label]: of, le: String(bound) }, value: below };
      });
      return [
        ...buckets,
        { of: 'bucket', labels: { [this.#label]: of, le: '+Inf' }, value: count },
        { of: 'sum', labels: { [this.#label]: of }, value: sum },
        { of: 'count', labels: { [this.#label]: of }, value: count },
      ];
    });
  }
}
