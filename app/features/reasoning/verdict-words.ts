import { useTranslation } from 'react-i18next';
import type { Verdict } from '#app/contracts/statuses.ts';

/** The verdicts as words, for places without an icon: an option, a drawing. */
export function useVerdictWords(): Record<Verdict, string> {
  const { t } = useTranslation('common');
  return {
    allow: t('status.allow'),
    warn: t('status.warn'),
    transform: t('status.transform'),
    require_approval: t('status.requireApproval'),
    deny: t('status.deny'),
  };
}
