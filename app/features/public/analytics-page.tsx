import { useTranslation } from 'react-i18next';
import { SeriesChart } from '#app/components/chart/series-chart.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { useSeriesPoints } from '#app/components/data/figures/series-points.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ExampleTables } from '#app/features/public/example/example-tables.tsx';
import { ProductPage } from '#app/features/public/product-page.tsx';

/** An example week, Monday to Sunday. */
const DAYS = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 10, 9 + day)).toISOString());
const COMPLETED = [182, 204, 198, 231, 176, 44, 38];
const FAILED = [3, 1, 4, 2, 2, 0, 1];
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const RESPONSE_MS = 1_840;

export function AnalyticsPage() {
  const { t } = useTranslation(['product', 'figures']);
  const formats = useFormats();
  const points = useSeriesPoints(DAYS, 'day');
  const [completed, failed] = [sum(COMPLETED), sum(FAILED)];
  const item = (name: 'successRate' | 'errorRate' | 'responseTime' | 'executionRate', value: string) => ({
    term: t(`figures:metric.${name}.term`),
    definition: t(`figures:metric.${name}.definition`),
    value,
  });
  return (
    <ProductPage page="analytics" below={<ExampleTables />}>
      <div className="grid gap-6">
        <FigureList
          label={t('pages.analytics.caption')}
          items={[
            item('executionRate', formats.number((completed + failed) / (7 * 24), { maximumFractionDigits: 1 })),
            item('responseTime', formats.duration(RESPONSE_MS)),
            item('successRate', formats.percent(completed / (completed + failed))),
            item('errorRate', formats.percent(failed / (completed + failed))),
          ]}
        />
        <SeriesChart
          kind="stacked"
          title={t('chart.title')}
          points={points}
          series={[
            { key: 'completed', label: t('chart.completed'), tone: 'accent', values: COMPLETED },
            { key: 'failed', label: t('chart.failed'), tone: 'danger', values: FAILED },
          ]}
          format={formats.number}
          pointHeader={t('chart.day')}
          whole
        />
      </div>
    </ProductPage>
  );
}
