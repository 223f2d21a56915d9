import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import type { ControlId, ControlStatus } from '#app/domain/audit/compliance.ts';
import { ControlWord } from '#app/features/compliance/compliance-words.tsx';

type Row = { id: ControlId; status: ControlStatus; evidence: string; provision?: string };

/** Controls with their state, its evidence, and a link to it. */
export function ControlTable({ caption, controls }: { caption: string; controls: readonly Row[] }) {
  const { t } = useTranslation('compliance');
  const withProvisions = controls.some((row) => row.provision !== undefined);
  return (
    <DataTable
      caption={caption}
      rows={controls}
      rowKey={(row) => row.id}
      empty={null}
      columns={[
        ...(withProvisions
          ? [
              {
                key: 'provision',
                header: t('column.provision'),
                cell: (row: Row) => <bdi className="block sm:min-w-32">{row.provision}</bdi>,
              },
            ]
          : []),
        {
          key: 'control',
          header: t('column.control'),
          cell: (row) => (
            <>
              <span className="font-semibold">{t(`control.${row.id}`)}</span>
              <span className="block max-w-measure sm:min-w-64 font-normal text-muted">{t(`rule.${row.id}`)}</span>
            </>
          ),
        },
        { key: 'status', header: t('column.status'), cell: (row) => <ControlWord status={row.status} /> },
        {
          key: 'evidence',
          header: t('column.evidence'),
          cell: (row) => (
            <Link
              to={row.evidence}
              className="text-link inline-block py-1 whitespace-nowrap"
              aria-label={t('evidenceOf', { control: t(`control.${row.id}`) })}
            >
              {t('look')}
            </Link>
          ),
        },
      ]}
    />
  );
}
