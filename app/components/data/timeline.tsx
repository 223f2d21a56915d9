import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';
import { CONNECTION_KINDS, type ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { breakAxis } from '#app/domain/runs/broken-axis.ts';

export type TimelineLane = ConnectionKind | 'people' | 'internal';

/** One bar: times in milliseconds since 1970; `endMs` null while it is under way. `to` is a fragment or a path. */
export type TimelineItem = {
  key: string;
  label: string;
  lane: TimelineLane;
  startMs: number;
  endMs: number | null;
  status: StepStatus;
  to?: string;
  /** It waits, or holds steps that stand for themselves: where nothing else is under way the axis is cut short. */
  idle?: boolean;
};

const LANES: readonly TimelineLane[] = [...CONNECTION_KINDS, 'people', 'internal'];

const BARS: Record<StepStatus, string> = {
  pending: 'border-edge bg-raised',
  processing: 'border-info-ink bg-info',
  waiting: 'border-attention-ink bg-attention',
  success: 'border-ok-ink bg-ok',
  error: 'border-danger-ink bg-danger',
  skipped: 'border-dashed border-edge bg-transparent',
};

const TICKS = 4;

/**
 * A run over time, with a lane for each kind of partner. The drawing is for the eye; the table below it says the same
 * and is what a screen reader gets. Time runs from the start of the line in either direction of writing.
 */
export function Timeline({ items, label }: { items: readonly TimelineItem[]; label?: string }) {
  const { t } = useTranslation('flow');
  const formats = useFormats();
  const reader = useLocale();
  const { screenReaderMode } = useAccessibility().settings;
  const captionId = useId();
  const names: Record<TimelineLane, string> = {
    mcp: t('timeline.mcp'),
    a2a: t('timeline.a2a'),
    model: t('timeline.model'),
    app: t('timeline.app'),
    people: t('timeline.people'),
    internal: t('timeline.internal'),
  };
  if (items.length === 0) return null;

  const now = Date.parse(reader.now);
  const first = Math.min(...items.map((item) => item.startMs));
  const last = Math.max(first + 1, ...items.map((item) => item.endMs ?? Math.max(now, item.startMs)));
  const work = items.filter(({ idle }) => idle !== true).map(({ startMs, endMs }) => ({ start: startMs, end: endMs ?? last }));
  const axis = breakAxis(work, first, last);
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
  const bar = ({ startMs, endMs }: TimelineItem) => {
    const from = axis.placeOf(startMs);
    return { insetInlineStart: percent(from), inlineSize: percent(axis.placeOf(endMs ?? last) - from) };
  };
  const lanes = LANES.map((lane) => ({
    lane,
    rows: packed(
      items.filter((item) => item.lane === lane),
      last,
    ),
  })).filter(({ rows }) => rows.length > 0);

  return (
    <figure aria-labelledby={captionId}>
      <figcaption id={captionId} className="sr-only">
        {label ?? t('timeline.label')}
      </figcaption>
      <div aria-hidden="true" data-decorative="" className="overflow-hidden rounded-lg border border-line bg-surface">
        {lanes.map(({ lane, rows }) => (
          <div key={lane} className="grid grid-cols-[4.5rem_minmax(0,1fr)] border-b border-line sm:grid-cols-[7rem_minmax(0,1fr)]">
            <p className="border-e border-line bg-raised px-2 py-2.5 text-xs font-semibold text-muted sm:px-3">{names[lane]}</p>
            <div className="relative mx-2 grid gap-1 py-2">
              {axis.breaks.map(({ from, to }) => (
                <span
                  key={from}
                  className="axis-break absolute inset-y-0"
                  style={{ insetInlineStart: percent(from), inlineSize: percent(to - from) }}
                />
              ))}
              {rows.map((row) => (
                <div key={row.map((item) => item.key).join(' ')} className="relative h-7">
                  {row.map((item) => (
                    <span
                      key={item.key}
                      title={`${item.label}, ${formats.duration((item.endMs ?? last) - item.startMs)}`}
                      className={`absolute inset-y-0 flex min-w-2 items-center overflow-hidden rounded-sm border text-xs whitespace-nowrap text-ink ${BARS[item.status]}`}
                      style={bar(item)}
                    >
                      <span className="truncate px-1.5">{item.label}</span>
                    </span>
                  ))}
                </div>
              ))}
            </div>
          </div>
        ))}
        <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] sm:grid-cols-[7rem_minmax(0,1fr)]">
          <span className="border-e border-line bg-raised" />
          <ol className="flex justify-between px-2 py-1 font-mono text-xs text-muted">
            {Array.from({ length: TICKS + 1 }, (_, tick) => {
              const at = axis.timeAt(tick / TICKS);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
                <li key={tick} className={tick % 2 === 1 ? 'hidden sm:block' : ''}>
                  {at === null ? '…' : formats.duration(at - first)}
                </li>
              );
            })}
          </ol>
        </div>
      </div>
      {axis.breaks.length === 0 ? null : (
        <p className="mt-2 text-sm text-muted">
          {t('timeline.cut', { times: formats.list(axis.breaks.map(({ ms }) => formats.duration(ms))) })}
        </p>
      )}
      <details {...(screenReaderMode ? { open: true } : {})} className="mt-2 print:hidden">
        <summary className="text-link inline-block text-sm">{t('timeline.asTable')}</summary>
        <TimelineTable items={items} names={names} first={first} label={label ?? t('timeline.label')} />
      </details>
    </figure>
  );
}

function TimelineTable({
  items,
  names,
  first,
  label,
}: {
  items: readonly TimelineItem[];
  names: Record<TimelineLane, string>;
  first: number;
  label: string;
}) {
  const { t } = useTranslation('flow');
  const formats = useFormats();
  const cell = 'border-b border-line py-1.5 pe-6 text-start';
  return (
    <ScrollGroup label={label} className="overflow-x-auto">
      <table className="mt-2 text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {[t('timeline.step'), t('timeline.lane'), t('timeline.status'), t('timeline.start'), t('timeline.duration')].map((header) => (
              <th key={header} scope="col" className={`${cell} text-xs text-muted`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.key}>
              <th scope="row" className={`${cell} font-semibold`}>
                {item.to ? (
                  <a href={item.to} className="text-link">
                    {item.label}
                  </a>
                ) : (
                  item.label
                )}
              </th>
              <td className={cell}>{names[item.lane]}</td>
              <td className={cell}>
                <StatusWord status={item.status} />
              </td>
              <td className={cell}>{formats.duration(item.startMs - first)}</td>
              <td className={cell}>{item.endMs === null ? t('timeline.running') : formats.duration(item.endMs - item.startMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollGroup>
  );
}

/** Items of one lane in as few rows as it takes for no two to lie over each other. */
function packed(items: readonly TimelineItem[], last: number): TimelineItem[][] {
  const rows: { end: number; items: TimelineItem[] }[] = [];
  for (const item of [...items].sort((a, b) => a.startMs - b.startMs)) {
    const end = item.endMs ?? last;
    const row = rows.find((candidate) => candidate.end <= item.startMs);
    if (row) {
      row.items.push(item);
      row.end = end;
    } else {
      rows.push({ end, items: [item] });
    }
  }
  return rows.map((row) => row.items);
}
