import type { TFunction } from 'i18next';
import type { AgentIssue } from '#app/domain/workflows/agent.ts';

/** Missing parts of an agent, in words. */
export function issueText(t: TFunction<'agents'>, { key, values }: AgentIssue): string {
  const { tool = '', model = '', connection = '' } = values;
  switch (key) {
    case 'noInstructions':
      return t('issues.noInstructions');
    case 'noModel':
      return t('issues.noModel');
    case 'modelMissing':
      return t('issues.modelMissing', { model, connection });
    case 'modelNotApproved':
      return t('issues.modelNotApproved', { model, connection });
    case 'toolMissing':
      return t('issues.toolMissing', { tool, connection });
    case 'toolNotApproved':
      return t('issues.toolNotApproved', { tool, connection });
    case 'noPrice':
      return t('issues.noPrice', { model });
  }
}
