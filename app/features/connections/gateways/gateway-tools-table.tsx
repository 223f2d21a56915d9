import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyPart, EmptyState } from '#app/components/page/empty-state.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedGateway } from '#app/features/connections/gateways/load-gateway.server.ts';

type Tool = LoadedGateway['tools'][number];
type Props = Pick<LoadedGateway, 'gateway' | 'tools' | 'mayKeep'>;

/** The tools of a gateway; of many those that are searched for. */
export function GatewayToolsTable({ loaded }: { loaded: Props & Pick<LoadedGateway, 'search'> }) {
  const { t } = useTranslation(['gateways', 'common']);
  const { gateway, search } = loaded;
  if (search === null) return <ToolsTable {...loaded} />;
  const here = href('/dashboard/plugins/gateways/:gateway', { gateway: gateway.id });
  const label = t('add.search');
  return (
    <>
      <SearchForm action={here} words={search.words} label={label} placeholder={label} submit={t('common:list.search')} />
      {loaded.tools.length === 0 ? <EmptyPart title={t('add.notFound')} /> : <ToolsTable {...loaded} />}
      {search.more === 0 ? null : <p className="mt-3 text-muted">{t('add.more', { count: search.more })}</p>}
    </>
  );
}

/** As callers see each, where a call goes, and whether it is served. */
function ToolsTable({ gateway, tools, mayKeep }: Props) {
  const { t } = useTranslation('gateways');
  return (
    <DataTable
      caption={t('toolsTable')}
      rows={tools}
      rowKey={(tool) => tool.id}
      columns={[
        {
          key: 'name',
          header: t('column.name'),
          cell: (tool) =>
            mayKeep ? (
              <Link
                to={href('/dashboard/plugins/gateways/:gateway/tools/:tool', { gateway: gateway.id, tool: tool.id })}
                className="text-link"
              >
                <code dir="ltr" className="wrap-anywhere">
                  {tool.name}
                </code>
              </Link>
            ) : (
              <code dir="ltr" className="wrap-anywhere">
                {tool.name}
              </code>
            ),
        },
        {
          key: 'calls',
          header: t('column.calls'),
          cell: (tool) => (
            <>
              <bdi>{tool.title}</bdi>{' '}
              <span className="block text-muted">
                <bdi>{tool.connectionName}</bdi>
              </span>
            </>
          ),
        },
        { key: 'fixed', header: t('column.fixed'), minor: true, cell: (tool) => <FixedArguments tool={tool} /> },
        { key: 'state', header: t('state'), cell: (tool) => <ToolState tool={tool} /> },
      ]}
      empty={
        <EmptyState
          title={t('noTools')}
          description={mayKeep ? t('noToolsText') : t('noToolsForReaders')}
          action={
            mayKeep ? (
              <ButtonLink variant="primary" to={href('/dashboard/plugins/gateways/:gateway/add', { gateway: gateway.id })}>
                {t('addTools')}
              </ButtonLink>
            ) : null
          }
        />
      }
    />
  );
}

function FixedArguments({ tool }: { tool: Tool }) {
  const { t } = useTranslation('gateways');
  const fixed = Object.entries(tool.fixed);
  if (fixed.length === 0) return <span className="text-muted">{t('noneFixed')}</span>;
  return (
    <ul className="grid gap-1">
      {fixed.map(([name, value]) => (
        <li key={name}>
          <code dir="ltr" className="wrap-anywhere">
            {name} = {value.length > 60 ? `${value.slice(0, 60)}…` : value}
          </code>
        </li>
      ))}
    </ul>
  );
}

const STATES = { served: 'active', changed: 'changed', gone: 'removed' } as const;

/** Whether callers are offered the tool; if not, what to do about it. */
export function ToolState({ tool: { state, unapproved, capability, connectionId } }: { tool: Tool }) {
  const { t } = useTranslation('gateways');
  return (
    <>
      <StatusWord status={STATES[state]} />
      {state === 'served' ? null : (
        <span className="block text-muted">{t(state === 'gone' ? 'gone' : unapproved ? 'unapproved' : 'changed')}</span>
      )}
      {unapproved ? (
        <Link
          to={`${href('/dashboard/plugins/:connection', { connection: connectionId })}?q=${encodeURIComponent(capability)}`}
          className="text-link inline-block py-0.5"
        >
          {t('toConnection')}
        </Link>
      ) : null}
    </>
  );
}
