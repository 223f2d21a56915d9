import { useTranslation } from 'react-i18next';
import type { Plan } from '#app/contracts/people.ts';
import { PLANS } from '#app/domain/people/plans.ts';

/** The limits of a plan as one reads them: agents, workflows, executions. */
export function usePlanLimits(): (plan: Plan) => string[] {
  const { t } = useTranslation('landing');
  return (plan) => {
    const { agents, workflows, executions } = PLANS[plan];
    return [
      agents === null ? t('pricing.agentsUnlimited') : t('pricing.agents', { count: agents }),
      workflows === null ? t('pricing.workflowsUnlimited') : t('pricing.workflows', { count: workflows }),
      executions === null ? t('pricing.executionsUnlimited') : t('pricing.executions', { count: executions }),
    ];
  };
}
