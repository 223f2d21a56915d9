import { useTranslation } from 'react-i18next';
import { type FigureItem, FigureList } from '#app/components/data/figures/figure-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Figures } from '#app/domain/runs/figures.ts';

/** The product's main figures with their definitions, each compared with the previous period. */
export function RunFigures({ now, before }: { now: Figures; before: Figures }) {
  const { t } = useTranslation('figures');
  return <FigureList label={t('label')} items={useFigureItems(now, before)} />;
}

function useFigureItems(now: Figures, before: Figures): FigureItem[] {
  const { t } = useTranslation('figures');
  const formats = useFormats();
  const perHour = (value: number) => t('perHour', { number: formats.number(value, { maximumFractionDigits: value < 1 ? 3 : 1 }) });
  const signed = (value: number) => formats.number(value, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const item = (name: Name, pick: (figures: Figures) => number | null, format: (value: number) => string, none: string): FigureItem => {
    const [value, earlier] = [pick(now), pick(before)];
    return {
      term: t(`metric.${name}.term`),
      definition: t(`metric.${name}.definition`),
      value: value === null ? <span className="text-lg font-normal text-muted">{none}</span> : format(value),
      change:
        value === null || earlier === null
          ? undefined
          : {
              text: t('before', { value: format(earlier) }),
              direction: format(value) === format(earlier) ? 'same' : value > earlier ? 'up' : 'down',
            },
    };
  };
  return [
    item('totalWorkflows', (figures) => figures.totalWorkflows, formats.number, ''),
    item('activeUsers', (figures) => figures.activeUsers, formats.number, t('notForYou')),
    item('executionRate', (figures) => figures.executionRate, perHour, ''),
    item('responseTime', (figures) => figures.responseMs, formats.duration, t('noRuns')),
    item('growthRate', (figures) => figures.growthRate, signed, t('nothingBefore')),
    item('efficiencyGain', (figures) => figures.efficiencyGain, formats.percent, t('notSet')),
    item('errorRate', (figures) => figures.errorRate, formats.percent, t('noRuns')),
    item('successRate', (figures) => figures.successRate, formats.percent, t('noRuns')),
  ];
}

type Name =
  | 'totalWorkflows'
  | 'activeUsers'
  | 'executionRate'
  | 'responseTime'
  | 'growthRate'
  | 'efficiencyGain'
  | 'errorRate'
  | 'successRate';
