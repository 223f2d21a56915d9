import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { IMPACT_QUESTIONS } from '#app/domain/inventory/impact-questions.ts';
import type { ShownPack } from '#app/features/audit/packs/load-pack.server.ts';

/** The impact assessments as they stood at the end of the period, each linked. */
export function AssessmentSection({ assessments }: Pick<ShownPack, 'assessments'>) {
  const { t } = useTranslation('packs');
  const formats = useFormats();
  return (
    <Section title={t('assessments.title')} description={t('assessments.text')}>
      <DataTable
        caption={t('assessments.title')}
        rows={assessments}
        rowKey={(row) => row.id}
        empty={<EmptyPart title={t('assessments.none')} />}
        columns={[
          {
            key: 'agent',
            header: t('assessments.agent'),
            cell: (row) => (
              <Link
                className="text-link"
                to={`${href('/dashboard/agents/inventory/:agent/assessment', { agent: row.agent })}?version=${row.number}`}
              >
                <bdi>{row.name}</bdi>
              </Link>
            ),
          },
          { key: 'version', header: t('assessments.version'), align: 'end', cell: (row) => formats.number(row.number) },
          { key: 'at', header: t('assessments.at'), cell: (row) => <RelativeTime at={row.at} exact /> },
          { key: 'by', header: t('assessments.by'), minor: true, cell: (row) => <bdi>{row.by ?? '–'}</bdi> },
          {
            key: 'answered',
            header: t('assessments.answered'),
            cell: (row) => t('assessments.of', { answered: formats.number(row.answered), all: formats.number(IMPACT_QUESTIONS.length) }),
          },
        ]}
      />
    </Section>
  );
}
