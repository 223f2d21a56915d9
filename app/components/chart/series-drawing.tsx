import type { ChartSeries } from '#app/components/chart/series-look.tsx';
import { areaStyle, dashOf, markerOf, TONES } from '#app/components/chart/series-look.tsx';

/** Above so many points a marker at each would be a smear. */
const MOST_MARKERS = 40;
/** Part of a point's place that its columns fill. */
const FILLED = 0.7;

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

/** Columns side by side, or on each other. `top` is the value at the upper edge. */
export function Areas({
  chartId,
  series,
  count,
  top,
  stacked,
}: {
  chartId: string;
  series: readonly ChartSeries[];
  count: number;
  top: number;
  stacked: boolean;
}) {
  const place = 1 / count;
  const width = (place * FILLED) / (stacked ? 1 : series.length);
  return Array.from({ length: count }, (_, at) => {
    let below = 0;
    return series.map(({ key, tone, values }, row) => {
      const height = Math.max(0, values[at] ?? 0) / top;
      const base = stacked ? below : 0;
      below += height;
      if (height === 0) return null;
      const start = place * (at + (1 - FILLED) / 2) + (stacked ? 0 : width * row);
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place on the axis
          key={`${key} ${at}`}
          x={percent(start)}
          y={percent(1 - base - height)}
          width={percent(width)}
          height={percent(height)}
          className={`pointer-events-none ${TONES[tone].fill} ${TONES[tone].stroke}`}
          strokeWidth={1}
          {...areaStyle(chartId, row)}
        />
      );
    });
  });
}

/** Lines from point to point, each with its own dash and marker; a missing value is a gap. */
export function Lines({ series, count, top }: { series: readonly ChartSeries[]; count: number; top: number }) {
  const across = (at: number) => (at + 0.5) / count;
  const down = (value: number) => 1 - Math.max(0, value) / top;
  return series.map(({ key, tone, values }, row) => (
    <g key={key} className="pointer-events-none">
      {/* Stretched to the width of the page; the stroke stays as thick as it is. */}
      <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" className="overflow-visible">
        {unbroken(values).map((run) => (
          <polyline
            key={run[0]?.at}
            points={run.map(({ at, value }) => `${(across(at) * 100).toFixed(3)},${(down(value) * 100).toFixed(3)}`).join(' ')}
            className={`fill-none ${TONES[tone].stroke}`}
            strokeWidth={2}
            strokeLinejoin="round"
            strokeDasharray={dashOf(row)}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      {count > MOST_MARKERS
        ? null
        : values.map((value, at) =>
            value === null ? null : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place on the axis
              <svg aria-hidden="true" key={at} x={percent(across(at))} y={percent(down(value))} className="overflow-visible">
                <path d={markerOf(row)} className={`${TONES[tone].fill} ${TONES[tone].stroke}`} strokeWidth={1} />
              </svg>
            ),
          )}
    </g>
  ));
}

function unbroken(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = [[]];
  values.forEach((value, at) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ at, value });
  });
  return runs.filter((run) => run.length > 0);
}
