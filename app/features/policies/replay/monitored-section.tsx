import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { DecisionTable } from '#app/features/policies/replay/decision-table.tsx';
import type { Monitored } from '#app/features/policies/replay/load-monitored.server.ts';

/** The decisions that rules in monitor mode would have made, and in which runs. Nothing for a policy without such a rule. */
export function MonitoredSection({ monitored, monitors }: { monitored: Monitored; monitors: boolean }) {
  const { t } = useTranslation('policies');
  const { number } = useFormats();
  if (!monitors && monitored.counts.length === 0) return null;
  return (
    <Section title={t('monitored.title')} description={t('monitored.text')}>
      <DataTable
        caption={t('monitored.caption')}
        rows={monitored.counts}
        rowKey={({ rule, verdict }) => `${rule} ${verdict}`}
        empty={
          <EmptyPart
            title={t('monitored.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('monitored.toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          { key: 'rule', header: t('monitored.rule'), cell: ({ rule }) => <code className="font-mono text-sm">{rule}</code> },
          { key: 'verdict', header: t('monitored.would'), cell: ({ verdict }) => <StatusWord status={verdict} /> },
          { key: 'decisions', header: t('monitored.decisions'), cell: ({ decisions }) => number(decisions) },
        ]}
      />
      {monitored.decisions.length === 0 ? null : <DecisionTable caption={t('monitored.runs')} rows={monitored.decisions} empty={null} />}
    </Section>
  );
}
