import type { ChartPoint } from '#app/components/chart/series-chart.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';

/** Hours or days as points of a chart. They are cut in UTC, so they are named in it. `starts` are ISO 8601. */
export function useSeriesPoints(starts: readonly string[], unit: 'hour' | 'day'): ChartPoint[] {
  const { language } = useLocale();
  const shape: Intl.DateTimeFormatOptions = unit === 'hour' ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' };
  const short = new Intl.DateTimeFormat(language, { ...shape, timeZone: 'UTC' });
  const whole = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    ...(unit === 'hour' ? { timeStyle: 'short' } : {}),
    timeZone: 'UTC',
  });
  return starts.map((start) => ({ key: start, label: short.format(new Date(start)), name: whole.format(new Date(start)) }));
}
