import { useTranslation } from 'react-i18next';
import type { ApiKeyScope } from '#app/contracts/people.ts';

/** The rights of keys and clients, in the reader's language. */
export function useScopeWords(): Record<ApiKeyScope, string> {
  const { t } = useTranslation('account');
  return {
    'runs:read': t('apiKeys.scope.runsRead'),
    'runs:start': t('apiKeys.scope.runsStart'),
    'workflows:read': t('apiKeys.scope.workflowsRead'),
    'workflows:write': t('apiKeys.scope.workflowsWrite'),
    'approvals:read': t('apiKeys.scope.approvalsRead'),
    'audit:read': t('apiKeys.scope.auditRead'),
  };
}
