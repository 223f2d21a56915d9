import { useTranslation } from 'react-i18next';
import { ExportFacts } from '#app/components/data/export-facts.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import type { Leaving } from '#app/features/control/load-leaving.server.ts';

/** What leaves with a change, for how long, and what of it has left. Needs the namespace control. */
export function ExportDifference({ leaving: { asked, permission } }: { leaving: Leaving }) {
  const { t } = useTranslation('control');
  const more =
    permission === null
      ? [{ term: t('difference.after'), description: t('export.once') }]
      : [
          { term: t('export.until'), description: <RelativeTime at={permission.until} exact /> },
          {
            term: t('export.taken'),
            description: permission.taken.length === 0 ? t('export.nothing') : <bdi>{permission.taken.join(', ')}</bdi>,
          },
        ];
  return <ExportFacts asked={asked} more={more} />;
}
