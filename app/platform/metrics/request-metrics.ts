import type { Family } from '#app/domain/metrics/exposition.ts';
import { Histogram } from '#app/domain/metrics/histogram.ts';

/** Seconds. From what a kept page takes to what nobody waits for. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Few kinds, whatever is asked for: an address that a stranger makes up makes no new series. */
const KINDS: readonly (readonly [kind: string, path: RegExp])[] = [
  ['asset', /^\/assets\//],
  ['mcp', /^\/mcp(?:\/|$)/],
  ['a2a', /^\/a2a(?:\/|$)/],
  ['api', /^\/api(?:\/|$)/],
  ['hook', /^\/hooks?(?:\/|$)/],
  ['scim', /^\/scim(?:\/|$)/],
  ['data', /\.data$/],
];

export const kindOf = (path: string): string => KINDS.find(([, form]) => form.test(path))?.[0] ?? 'page';

/** How many requests were answered, and how long it took: event streams end with their reader, and are counted without a time. */
export function createRequestMetrics() {
  const durations = new Histogram('kind', BOUNDS);
  const answered = new Map<string, number>();
  return {
    /** `ms`: null for an event stream. */
    note({ path, status, ms }: { path: string; status: number; ms: number | null }): void {
      const kind = kindOf(path);
      const key = `${kind} ${Math.floor(status / 100)}xx`;
      answered.set(key, (answered.get(key) ?? 0) + 1);
      if (ms !== null) durations.observe(kind, ms / 1_000);
    },
    read(): Family[] {
      const samples = [...answered].map(([key, value]) => {
        const [kind = '', status = ''] = key.split(' ');
        return { labels: { kind, status }, value };
      });
      return [
        { name: 'quorate_http_requests_total', help: 'Requests answered, by what was asked for.', type: 'counter', samples },
        {
          name: 'quorate_http_request_duration_seconds',
          help: 'From the arrival of a request to the end of its answer.',
          type: 'histogram',
          samples: durations.samples(),
        },
      ];
    },
  };
}
export type RequestMetrics = ReturnType<typeof createRequestMetrics>;
