import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { ControlId, ControlStatus } from '#app/domain/audit/compliance.ts';
import { ControlWord } from '#app/features/compliance/compliance-words.tsx';
import type { ShownAttestation } from '#app/features/compliance/load-compliance.server.ts';

type Row = { id: ControlId; status: ControlStatus; evidence: string; provision?: string; attested: ShownAttestation };

/** Controls with their state, its evidence, and a link to it. */
export function ControlTable({ caption, controls, mayAttest }: { caption: string; controls: readonly Row[]; mayAttest: boolean }) {
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
        { key: 'attested', header: t('column.attested'), cell: (row) => <Attested row={row} mayAttest={mayAttest} /> },
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

/** Names the person who attested the control, until when, and the way to do it again. */
function Attested({ row: { id, attested }, mayAttest }: { row: Row; mayAttest: boolean }) {
  const { t } = useTranslation('compliance');
  const formats = useFormats();
  return (
    <span className="block sm:min-w-32">
      {attested === null ? (
        <span className="text-muted">{t('attest.never')}</span>
      ) : attested.stale ? (
        <span className="text-attention-ink">{t('attest.staleSince', { day: formats.date(attested.until) })}</span>
      ) : (
        <bdi>{t('attest.holds', { by: attested.by ?? t('attest.formerMember'), day: formats.date(attested.until) })}</bdi>
      )}
      {mayAttest ? (
        <Link
          to={href('/dashboard/policies/compliance/attest/:control', { control: id })}
          className="text-link block w-fit py-1"
          aria-label={t('attest.actionOf', { control: t(`control.${id}`) })}
        >
          {t('attest.action')}
        </Link>
      ) : null}
    </span>
  );
}
