import { type ReactNode, useId } from 'react';
import { axisTicks, shownLabels } from '#app/components/chart/axis.ts';
import { ChartFigure } from '#app/components/chart/chart-figure.tsx';
import { Areas, Lines } from '#app/components/chart/series-drawing.tsx';
import type { ChartSeries } from '#app/components/chart/series-look.tsx';
import { Sample, Weaves } from '#app/components/chart/series-look.tsx';
import { DataTable } from '#app/components/data/data-table.tsx';
import { useNamed } from '#app/components/text/named.ts';

/** A moment or span on the axis: `label` is the short text under it ('12 Nov'), `name` is whole ('12 November 2026'). */
export type ChartPoint = { key: string; label: string; name?: string };

const MOST_LABELS = 7;

/**
 * Values over time: columns side by side, columns on each other, or lines. The server draws it; it needs no scripts. The drawing is for the
 * eye and keeps its direction in every language, as time axes do; the table under it says the same to everyone else. `summary` says in a
 * sentence what there is to see. `whole`: counts, which have no halves.
 */
export function SeriesChart({
  kind,
  title,
  summary,
  points,
  series,
  format,
  pointHeader,
  whole = false,
}: {
  kind: 'bar' | 'stacked' | 'line';
  title: string;
  summary?: ReactNode;
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  pointHeader: string;
  whole?: boolean;
}) {
  const chartId = useId();
  const named = useNamed();
  const highest = highestOf(kind, points.length, series);
  const ticks = axisTicks(highest, whole);
  const top = ticks.at(-1) ?? 1;
  const spoken = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value));
  const table = (
    <DataTable
      caption={title}
      rows={points.map((point, at) => ({ point, at }))}
      rowKey={({ point }) => point.key}
      columns={[
        { key: 'point', header: pointHeader, cell: ({ point }) => point.name ?? point.label },
        ...series.map((one) => ({
          key: one.key,
          header: one.label,
          align: 'end' as const,
          cell: ({ at }: { at: number }) => spoken(one.values[at]),
        })),
      ]}
      empty={null}
    />
  );
  return (
    <ChartFigure title={title} summary={summary} table={table} empty={points.length === 0 || series.length === 0}>
      {series.length > 1 ? (
        <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {series.map((one, place) => (
            <li key={one.key} className="flex items-center gap-2">
              <Sample chartId={chartId} place={place} tone={one.tone} line={kind === 'line'} />
              {one.label}
            </li>
          ))}
        </ul>
      ) : null}
      <div dir="ltr" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-muted">
        <TickLabels ticks={ticks} format={format} />
        <svg aria-hidden="true" width="100%" className="block h-48 overflow-visible">
          <Weaves chartId={chartId} series={series} />
          {ticks.map((tick) => (
            <line
              key={tick}
              x1="0"
              x2="100%"
              y1={`${100 - (tick / top) * 100}%`}
              y2={`${100 - (tick / top) * 100}%`}
              className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
              strokeWidth={1}
              shapeRendering="crispEdges"
            />
          ))}
          {points.map((point, at) => (
            <rect
              key={point.key}
              x={`${(at / points.length) * 100}%`}
              y="0"
              width={`${100 / points.length}%`}
              height="100%"
              className="fill-transparent hover:fill-raised"
            >
              <title>{[point.name ?? point.label, ...series.map((one) => named(one.label, spoken(one.values[at])))].join('\n')}</title>
            </rect>
          ))}
          {kind === 'line' ? (
            <Lines series={series} count={points.length} top={top} />
          ) : (
            <Areas chartId={chartId} series={series} count={points.length} top={top} stacked={kind === 'stacked'} />
          )}
        </svg>
        <span />
        <PointLabels points={points} />
      </div>
    </ChartFigure>
  );
}

function TickLabels({ ticks, format }: { ticks: readonly number[]; format: (value: number) => string }) {
  const top = ticks.at(-1) ?? 1;
  const labels = ticks.map((tick) => ({ tick, text: format(tick) }));
  const longest = labels.reduce((long, { text }) => (text.length > long.length ? text : long), '');
  return (
    <div className="relative tabular-nums">
      {/* Holds the column as wide as its longest label. */}
      <span className="invisible whitespace-nowrap">{longest}</span>
      {labels.map(({ tick, text }) => (
        <span
          key={tick}
          className="absolute end-0 translate-y-1/2 leading-none whitespace-nowrap"
          style={{ insetBlockEnd: `${(tick / top) * 100}%` }}
        >
          <bdi>{text}</bdi>
        </span>
      ))}
    </div>
  );
}

function PointLabels({ points }: { points: readonly ChartPoint[] }) {
  const wide = shownLabels(points.length, MOST_LABELS);
  const narrow = shownLabels(points.length, Math.ceil(MOST_LABELS / 2));
  // The last label of many would overlap the edge of the chart.
  const pinned = points.length > 2 * MOST_LABELS ? points.length - 1 : -1;
  return (
    <div className="relative h-6">
      {points.map((point, at) =>
        wide.has(at) || narrow.has(at) ? (
          <span
            key={point.key}
            className={`absolute top-1.5 whitespace-nowrap ${at === pinned ? '' : '-translate-x-1/2'} ${narrow.has(at) ? (wide.has(at) ? '' : 'sm:hidden') : 'hidden sm:inline'}`}
            style={at === pinned ? { insetInlineEnd: 0 } : { insetInlineStart: `${((at + 0.5) / points.length) * 100}%` }}
          >
            <bdi>{point.label}</bdi>
          </span>
        ) : null,
      )}
    </div>
  );
}

function highestOf(kind: 'bar' | 'stacked' | 'line', count: number, series: readonly ChartSeries[]): number {
  if (kind !== 'stacked') return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return Math.max(
    0,
    ...Array.from({ length: count }, (_, at) => series.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)),
  );
}
