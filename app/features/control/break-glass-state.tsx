import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';

/** A break-glass: by whom, why, until when, and how it ended. */
export function BreakGlassState({ glass }: { glass: NonNullable<LoadedControlChange['glass']> }) {
  const { t } = useTranslation('control');
  return (
    <div className="grid gap-4">
      {glass.outcome === null ? (
        <Notice kind="danger" title={t('glass.running')} />
      ) : (
        <Notice kind="info" title={t(`glass.outcome.${glass.outcome}`)} />
      )}
      <DescriptionList
        items={[
          { term: t('glass.by'), description: <bdi>{glass.by || t('gone')}</bdi> },
          {
            term: t('glass.reason'),
            description: (
              <span dir="auto" className="block max-w-measure text-as-parent break-words whitespace-pre-wrap">
                {glass.reason}
              </span>
            ),
          },
          { term: t('glass.at'), description: <RelativeTime at={glass.at} exact /> },
          glass.endedAt === null
            ? { term: t('glass.until'), description: <RelativeTime at={glass.until} exact /> }
            : { term: t('glass.ended'), description: <RelativeTime at={glass.endedAt} exact /> },
        ]}
      />
    </div>
  );
}
