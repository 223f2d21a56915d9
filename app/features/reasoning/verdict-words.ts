import { useTranslation } from 'react-i18next';
import type { Verdict } from '#app/domain/statuses.ts';

/** The verdicts as words, for where no icon can stand: an option, a drawing. */
export function useVerdictWords(): Record<Verdict, string> {
  const { t } = useTranslation('common');
  return {
    allow: t('status.allow'),
    warn: t('status.warn'),
    require_approval: t('status.requireApproval'),
    deny: t('status.deny'),
  };
}
