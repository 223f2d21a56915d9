import type { TFunction } from 'i18next';
import type { StepKind } from '#app/domain/statuses.ts';

/** The word for each kind of step. */
export function stepKindLabels(t: TFunction<'workflows'>): Record<StepKind, string> {
  return {
    tool: t('kinds.tool'),
    agent: t('kinds.agent'),
    model: t('kinds.model'),
    approval: t('kinds.approval'),
    branch: t('kinds.branch'),
    transform: t('kinds.transform'),
  };
}
