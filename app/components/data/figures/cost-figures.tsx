import { useTranslation } from 'react-i18next';
import { type FigureItem, FigureList } from '#app/components/data/figures/figure-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { ProcessTotals } from '#app/domain/runs/figures.ts';

/** Model usage and cost, each compared with the previous period; with `time` also the duration of steps. */
export function CostFigures({ now, before, time = false }: { now: ProcessTotals; before: ProcessTotals; time?: boolean }) {
  const { t } = useTranslation('figures');
  const formats = useFormats();
  const item = (
    name: 'cost' | 'tokensIn' | 'tokensOut' | 'activeTime' | 'waitingTime',
    pick: (totals: ProcessTotals) => number,
    format: (value: number) => string,
  ): FigureItem => ({
    term: t(`cost.${name}.term`),
    definition: t(`cost.${name}.definition`),
    value: format(pick(now)),
    change: {
      text: t('before', { value: format(pick(before)) }),
      direction: pick(now) === pick(before) ? 'same' : pick(now) > pick(before) ? 'up' : 'down',
    },
  });
  const number = (value: number) => formats.number(value);
  return (
    <>
      <FigureList
        label={t('cost.label')}
        items={[
          item('cost', (totals) => totals.costMicros, formats.money),
          ...(time
            ? [
                item('activeTime', (totals) => totals.activeMs, formats.duration),
                item('waitingTime', (totals) => totals.waitingMs, formats.duration),
              ]
            : [item('tokensIn', (totals) => totals.tokensIn, number), item('tokensOut', (totals) => totals.tokensOut, number)]),
        ]}
      />
      {now.unpriced === 0 ? null : <p className="mt-3 text-sm text-muted">{t('cost.unpriced', { count: now.unpriced })}</p>}
    </>
  );
}
