import type { TFunction } from 'i18next';
import type { WorkflowTemplateId } from '#app/domain/workflow-templates.ts';

export function templateWords(t: TFunction<'workflows'>): Record<WorkflowTemplateId, { title: string; description: string }> {
  return {
    paymentScreening: { title: t('templates.paymentScreening.title'), description: t('templates.paymentScreening.description') },
    dischargeLetter: { title: t('templates.dischargeLetter.title'), description: t('templates.dischargeLetter.description') },
    recordsRequest: { title: t('templates.recordsRequest.title'), description: t('templates.recordsRequest.description') },
  };
}
