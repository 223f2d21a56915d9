import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { lastDay } from '#app/domain/web/last-day.ts';
import type { LoadedWork } from '#app/features/approvals/work/load-work.server.ts';

/** The sentence that says whose duty an open approval is. */
export function useDutyText(): (work: LoadedWork) => string {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  return ({ assigned, holder, holderName, isMine }) => {
    if (assigned === null) return t('work.open');
    const name = assigned.name ?? t('someone');
    if (holder === assigned.id) return isMine ? t('work.mine') : t('work.others', { name });
    if (assigned.awayUntil === null) return t('work.fallen', { name });
    const away = { name, until: formats.date(lastDay(assigned.awayUntil)) };
    if (holder === null) return t('work.fallenAway', away);
    return isMine ? t('work.mineFor', away) : t('work.othersFor', { ...away, deputy: holderName ?? t('someone') });
  };
}
