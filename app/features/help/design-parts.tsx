import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { ApprovalVotes } from '#app/components/data/approval-card.tsx';
import { Avatar } from '#app/components/data/avatar.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { AreaLinks } from '#app/components/page/area-links.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';

const PERSON = 'Ada Lovelace';

/** The building blocks of pages: navigation, people, votes, and numbers with their meaning. */
export function DesignParts() {
  const { t } = useTranslation('design');
  const formats = useFormats();
  return (
    <div className="grid grid-cols-1 gap-6">
      <AreaLinks
        label={t('parts')}
        links={[
          { label: t('title'), to: href('/dashboard/help/design') },
          { label: t('buttonLink'), to: href('/dashboard/appearance') },
        ]}
      />
      <div className="flex items-center gap-4">
        <Avatar name={PERSON} picture={null} />
        <Avatar name={PERSON} picture={null} size="large" />
        <bdi>{PERSON}</bdi>
      </div>
      <ApprovalVotes
        votes={[
          { voter: PERSON, vote: 'approve', reason: t('hint'), at: '2026-11-12T09:00:00.000Z' },
          { voter: 'Alan Turing', vote: 'reject', reason: '', at: '2026-11-12T09:30:00.000Z' },
        ]}
      />
      <FigureList
        label={t('parts')}
        items={[
          { term: t('chartBar'), value: formats.number(482), definition: t('hint'), change: { text: formats.number(17), direction: 'up' } },
          {
            term: t('chartLine'),
            value: formats.duration(1_840),
            definition: t('hint'),
            change: { text: formats.number(3), direction: 'down' },
          },
          { term: t('seriesMedian'), value: formats.duration(380), definition: t('hint') },
        ]}
      />
    </div>
  );
}
