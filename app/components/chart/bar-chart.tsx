import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type SeriesTone, TONES } from '#app/components/chart/series-look.tsx';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';

/** One bar: its label, its value, and a link to more. */
export type BarItem = { key: string; label: string; value: number; to?: string; tone?: SeriesTone };

/**
 * Amounts compared, the longest usually first: a bar beside each name, growing in the direction of reading. It is a
 * table with bars in it, so it needs no second telling. `summary` says in a sentence what there is to see.
 */
export function BarChart({
  title,
  summary,
  items,
  format,
  labelHeader,
  valueHeader,
  tone = 'accent',
}: {
  title: string;
  summary?: ReactNode;
  items: readonly BarItem[];
  format: (value: number) => string;
  labelHeader: string;
  valueHeader: string;
  tone?: SeriesTone;
}) {
  const { t } = useTranslation('common');
  const longest = Math.max(0, ...items.map(({ value }) => value)) || 1;
  return (
    <ScrollGroup label={title} className="overflow-x-auto rounded-lg border border-line bg-surface p-4 sm:p-5">
      <table className="w-full border-collapse text-sm">
        <caption className="mb-3 text-start text-base">
          <span className="font-semibold">{title}</span>
          {summary && items.length > 0 ? <span className="mt-0.5 block max-w-measure text-sm text-muted">{summary}</span> : null}
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{labelHeader}</th>
            <th scope="col">{valueHeader}</th>
          </tr>
        </thead>
        <tbody>
          {items.length === 0 ? (
            <tr>
              <td colSpan={2} className="py-10 text-center text-base text-muted">
                {t('chart.empty')}
              </td>
            </tr>
          ) : null}
          {items.map((item) => (
            <tr key={item.key}>
              <th scope="row" className="w-2/5 max-w-60 py-1.5 pe-4 text-start align-middle font-normal break-words">
                {item.to === undefined ? (
                  <bdi>{item.label}</bdi>
                ) : (
                  <Link to={item.to} className="text-link">
                    <bdi>{item.label}</bdi>
                  </Link>
                )}
              </th>
              <td className="py-1.5 align-middle">
                <span className="flex items-center gap-2">
                  <svg aria-hidden="true" className="h-4 w-0 min-w-10 flex-1 rtl:-scale-x-100">
                    <rect
                      x="0"
                      y="0"
                      width={`${Math.max(item.value > 0 ? 0.5 : 0, (Math.max(0, item.value) / longest) * 100).toFixed(2)}%`}
                      height="100%"
                      rx="2"
                      className={TONES[item.tone ?? tone].fill}
                    />
                  </svg>
                  <span className="min-w-16 text-end whitespace-nowrap tabular-nums">{format(item.value)}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollGroup>
  );
}
