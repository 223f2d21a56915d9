import type { TFunction } from 'i18next';
import type { Formats } from '#app/domain/web/formats.ts';
import type { Usage } from '#app/features/runs/load-run-steps.server.ts';

/** Model usage, as facts about a run or a step. */
export function usageFacts(t: TFunction<'runs'>, format: Formats, usage: Usage | null): { term: string; description: string }[] {
  if (usage === null) return [];
  const { tokensIn, tokensOut, costMicros } = usage;
  return [
    { term: t('usage.tokens'), description: t('usage.tokensInOut', { input: format.number(tokensIn), output: format.number(tokensOut) }) },
    {
      term: t('usage.cost'),
      description:
        costMicros === null
          ? t('usage.noPrice')
          : format.number(costMicros / 1_000_000, {
              style: 'currency',
              currency: 'USD',
              minimumFractionDigits: 2,
              maximumFractionDigits: 6,
            }),
    },
  ];
}
