import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { PolicyReplay } from '#app/engine/policy/replay-change.ts';

/** How many decisions were made again, and which of them would be others. Needs the namespaces policies and explanations. */
export function ReplayOutcome({ replay }: { replay: PolicyReplay }) {
  const { t } = useTranslation('policies');
  const formats = useFormats();
  return (
    <>
      <FigureList
        label={t('replay.figures')}
        items={[
          { term: t('replay.decided'), value: formats.number(replay.decided), definition: t('replay.decidedText') },
          { term: t('replay.changes'), value: formats.number(replay.changes), definition: t('replay.changesText') },
          { term: t('replay.unreadable'), value: formats.number(replay.unreadable), definition: t('replay.unreadableText') },
        ]}
      />
      <Section title={t('replay.changed')}>
        <DataTable
          caption={t('replay.changed')}
          rows={replay.changed}
          rowKey={(row) => row.id}
          empty={<EmptyState title={t('replay.same')} description={t('replay.sameText')} />}
          columns={[
            {
              key: 'what',
              header: t('replay.call'),
              cell: (row) => (
                <Link to={href('/dashboard/ai-reasoning/:decision', { decision: row.id })} className="text-link">
                  <bdi>{row.capability}</bdi>
                </Link>
              ),
            },
            { key: 'was', header: t('replay.was'), cell: (row) => <StatusWord status={row.was} /> },
            { key: 'would', header: t('replay.would'), cell: (row) => <StatusWord status={row.would} /> },
            {
              key: 'reason',
              header: t('replay.reason'),
              cell: (row) => (
                <span className="block min-w-64">
                  <ExplanationText explanation={row.reason} />
                </span>
              ),
            },
            { key: 'at', header: t('replay.at'), align: 'end', cell: (row) => <RelativeTime at={row.at} /> },
          ]}
        />
      </Section>
    </>
  );
}
