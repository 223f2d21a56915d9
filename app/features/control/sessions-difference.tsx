import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import type { SessionRules } from '#app/domain/people/session-rules.ts';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';

/** What the workspace asks of sessions, before and after. */
export function SessionsDifference({ change: { sessions } }: { change: LoadedControlChange }) {
  const { t } = useTranslation('control');
  const side = (rules: SessionRules | null) => (rules === null ? null : <Rules rules={rules} />);
  return (
    <DescriptionList
      items={[
        { term: t('difference.before'), description: side(sessions.before) },
        { term: t('difference.after'), description: side(sessions.after) },
      ]}
    />
  );
}

function Rules({ rules: { hours, idleMinutes, factor, networks } }: { rules: SessionRules }) {
  const { t } = useTranslation('control');
  return (
    <DescriptionList
      narrow
      items={[
        {
          term: t('difference.sessionLasts'),
          description: hours === null ? t('difference.noLimit') : t('difference.hours', { count: hours }),
        },
        {
          term: t('difference.sessionIdle'),
          description: idleMinutes === null ? t('difference.noLimit') : t('difference.minutes', { count: idleMinutes }),
        },
        { term: t('difference.sessionFactor'), description: t(factor ? 'difference.yes' : 'difference.no') },
        {
          term: t('difference.sessionNetworks'),
          description: networks.length === 0 ? t('difference.everywhere') : <code dir="ltr">{networks.join(', ')}</code>,
        },
      ]}
    />
  );
}
