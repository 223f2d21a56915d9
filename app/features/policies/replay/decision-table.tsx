import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { DecisionRow } from '#app/features/policies/replay/load-decisions.server.ts';

export function DecisionTable({ caption, rows, empty }: { caption: string; rows: readonly DecisionRow[]; empty: ReactNode }) {
  const { t } = useTranslation('policies');
  return (
    <DataTable
      caption={caption}
      rows={rows}
      rowKey={(row) => row.id}
      empty={empty}
      columns={[
        { key: 'reason', header: t('decisions.reason'), cell: (row) => <ExplanationText explanation={row.reason} /> },
        { key: 'verdict', header: t('decisions.verdict'), cell: (row) => <StatusWord status={row.verdict} /> },
        { key: 'at', header: t('decisions.when'), cell: (row) => <RelativeTime at={row.at} /> },
        {
          key: 'run',
          header: t('decisions.run'),
          cell: (row) => (
            <Link className="text-link whitespace-nowrap" to={href('/dashboard/runs/:run', { run: row.runId })}>
              {t('decisions.openRun')}
            </Link>
          ),
        },
      ]}
    />
  );
}
