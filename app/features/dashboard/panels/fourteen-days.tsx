import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { SeriesChart } from '#app/components/chart/series-chart.tsx';
import type { SeriesTone } from '#app/components/chart/series-look.tsx';
import { Sparkline } from '#app/components/chart/sparkline.tsx';
import { useSeriesPoints } from '#app/components/data/figures/series-points.ts';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { compareWeeks, DAY_FIGURES, type DayFigure } from '#app/features/dashboard/day-figures.ts';
import type { Days } from '#app/features/dashboard/read/read-days.server.ts';

const TONES: Record<DayFigure, SeriesTone> = { runs: 'accent', success: 'ok', active: 'info', cost: 'neutral' };

/** How the last fourteen days went: four figures of the week with their course, and the runs of each day by their end. */
export function FourteenDays({ days }: { days: Days }) {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  return (
    <Section
      title={t('days.title')}
      description={t('days.text')}
      actions={
        <Link to={href('/dashboard/analytics')} className="text-link text-sm">
          {t('days.all')}
        </Link>
      }
    >
      <dl className="mb-4 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 min-[100rem]:grid-cols-4">
        {(Object.keys(DAY_FIGURES) as DayFigure[]).map((name) => (
          <Figure key={name} name={name} days={days} />
        ))}
      </dl>
      <DayChart days={days} />
      {days.counted === null ? null : (
        <p className="mt-2 text-sm text-muted">{t('days.counted', { number: formats.number(days.counted) })}</p>
      )}
    </Section>
  );
}

function Figure({ name, days }: { name: DayFigure; days: Days }) {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const written: Record<DayFigure, (value: number) => string> = {
    runs: formats.number,
    success: formats.percent,
    active: formats.duration,
    cost: formats.money,
  };
  const shown = written[name];
  const pick = DAY_FIGURES[name];
  const value = pick(days.week);
  const compared = compareWeeks(value, pick(days.before), shown);
  const differenceOf = (by: number) =>
    name === 'success' ? t('compare.points', { number: formats.number(by * 100, { maximumFractionDigits: 1 }) }) : shown(by);
  const words = 'by' in compared ? t(`compare.${compared.way}`, { difference: differenceOf(compared.by) }) : t(`compare.${compared.way}`);
  return (
    <div className="bg-surface p-4">
      <dt className="text-sm font-semibold text-muted">{t(`days.${name}`)}</dt>
      <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
        {value === null ? <span className="text-lg font-normal text-muted">{t('days.none')}</span> : shown(value)}
      </dd>
      <dd className="mt-0.5 text-sm">{words}</dd>
      <dd className="mt-2" aria-hidden="true">
        <Sparkline values={days.days.map((day) => pick(day))} tone={TONES[name]} />
      </dd>
    </div>
  );
}

function DayChart({ days: { days } }: { days: Days }) {
  const { t } = useTranslation('dashboard');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const points = useSeriesPoints(
    days.map(({ at }) => at),
    'day',
  );
  const started = days.reduce((sum, day) => sum + day.started, 0);
  return (
    <SeriesChart
      kind="stacked"
      title={t('days.chart')}
      summary={t('days.summary', {
        runs: formats.number(started),
        failed: formats.number(days.reduce((sum, day) => sum + day.failed, 0)),
      })}
      pointHeader={t('days.day')}
      points={started === 0 ? [] : points}
      format={formats.number}
      whole
      series={[
        { key: 'completed', label: common('status.completed'), tone: 'ok', values: days.map((day) => day.completed) },
        { key: 'failed', label: common('status.failed'), tone: 'danger', values: days.map((day) => day.failed) },
        { key: 'cancelled', label: common('status.cancelled'), tone: 'neutral', values: days.map((day) => day.cancelled) },
        {
          key: 'open',
          label: t('days.open'),
          tone: 'info',
          values: days.map((day) => day.started - day.completed - day.failed - day.cancelled),
        },
      ]}
    />
  );
}
