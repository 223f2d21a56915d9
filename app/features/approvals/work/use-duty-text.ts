import { useTranslation } from 'react-i18next';
import type { LoadedWork } from '#app/features/approvals/work/load-work.server.ts';

/** The sentence that says whose duty an open approval is. */
export function useDutyText(): (work: Pick<LoadedWork, 'assigned' | 'holder' | 'isMine'>) => string {
  const { t } = useTranslation('approvals');
  return ({ assigned, holder, isMine }) => {
    if (isMine) return t('work.mine');
    if (assigned === null) return t('work.open');
    const name = assigned.name ?? t('someone');
    return holder === null ? t('work.fallen', { name }) : t('work.others', { name });
  };
}
