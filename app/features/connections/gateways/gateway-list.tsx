import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import { useAudience } from '#app/features/connections/gateways/gateway-words.ts';
import type { LoadedGateways } from '#app/features/connections/gateways/load-gateways.server.ts';

/** The gateways of the workspace. */
export function GatewayList({ gateways, mayKeep }: LoadedGateways) {
  const { t } = useTranslation('gateways');
  const format = useFormats();
  const audience = useAudience();
  const create = mayKeep ? (
    <ButtonLink to={href('/dashboard/plugins/gateways/new')} variant="primary">
      {t('new')}
    </ButtonLink>
  ) : null;
  return (
    <PageFrame
      title={t('title')}
      wide
      description={t('description')}
      breadcrumbs={[{ label: t('plugins'), to: href('/dashboard/plugins') }]}
      actions={gateways.length === 0 ? null : create}
    >
      <DataTable
        caption={t('table')}
        rows={gateways}
        rowKey={(gateway) => gateway.id}
        columns={[
          {
            key: 'name',
            header: t('field.name'),
            cell: (gateway) => (
              <Link to={href('/dashboard/plugins/gateways/:gateway', { gateway: gateway.id })} className="text-link">
                <bdi>{gateway.name}</bdi>
              </Link>
            ),
          },
          {
            key: 'address',
            header: t('field.address'),
            cell: (gateway) => <CopiedCode text={gateway.url} name={t('addressOf', { name: gateway.name })} />,
          },
          { key: 'tools', header: t('tools'), align: 'end', cell: (gateway) => format.number(gateway.tools) },
          { key: 'roles', header: t('field.roles'), minor: true, cell: (gateway) => audience(gateway) },
          { key: 'status', header: t('state'), cell: (gateway) => <StatusWord status={gateway.status} /> },
        ]}
        empty={<EmptyState title={t('emptyTitle')} description={mayKeep ? t('emptyText') : t('emptyForReaders')} action={create} />}
      />
    </PageFrame>
  );
}
