import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { BarChart } from '#app/components/chart/bar-chart.tsx';
import { SeriesChart } from '#app/components/chart/series-chart.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';

const DAYS = Array.from({ length: 14 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}T12:00:00.000Z`);
const COMPLETED = [12, 18, 9, 22, 25, 8, 6, 19, 24, 27, 31, 28, 12, 10];
const WAITING = [3, 2, 4, 6, 3, 1, 1, 5, 4, 2, 6, 4, 2, 1];
const FAILED = [1, 0, 2, 1, 3, 0, 0, 1, 0, 4, 2, 1, 0, 1];
const MEDIAN = [410, 380, 395, null, null, 520, 610, 480, 440, 402, 398, 371, 366, 380];
const SLOWEST = [900, 870, 1_020, null, null, 1_300, 1_480, 1_210, 980, 940, 930, 890, 902, 877];

export function DesignCharts() {
  const { t } = useTranslation(['design', 'common']);
  const formats = useFormats();
  const { language } = useLocale();
  const short = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const points = DAYS.map((day) => ({ key: day, label: short.format(new Date(day)), name: formats.date(day) }));
  const outcomes = [
    { key: 'completed', label: t('common:status.completed'), tone: 'ok' as const, values: COMPLETED },
    { key: 'waiting', label: t('common:status.waiting'), tone: 'attention' as const, values: WAITING },
    { key: 'failed', label: t('common:status.failed'), tone: 'danger' as const, values: FAILED },
  ];
  const common = { points, pointHeader: t('columnWhen'), summary: t('paragraph'), format: formats.number };
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <SeriesChart kind="stacked" title={t('chartStacked')} series={outcomes} whole {...common} />
      <SeriesChart kind="bar" title={t('chartBar')} series={outcomes.slice(0, 1)} whole {...common} />
      <SeriesChart
        kind="line"
        title={t('chartLine')}
        {...common}
        series={[
          { key: 'median', label: t('seriesMedian'), tone: 'accent', values: MEDIAN },
          { key: 'slowest', label: t('seriesSlowest'), tone: 'info', values: SLOWEST },
        ]}
        format={formats.duration}
      />
      <BarChart
        title={t('chartBars')}
        summary={t('paragraph')}
        labelHeader={t('columnName')}
        valueHeader={t('columnAmount')}
        format={formats.number}
        items={[
          { key: 'a', label: t('rowA'), value: 482, to: href('/dashboard/help/design') },
          { key: 'b', label: t('rowB'), value: 213 },
          { key: 'c', label: t('rowC'), value: 17, tone: 'danger' },
        ]}
      />
      <SeriesChart {...common} kind="bar" title={t('chartEmpty')} points={[]} series={[]} />
    </div>
  );
}
