import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { AgentRow, LoadedAgentList } from '#app/features/agents/load-agent-list.server.ts';

/** Agents written here and remote ones in one list: mine first, all of them one link away. */
export function AgentList({ loaded }: { loaded: LoadedAgentList }) {
  const { t } = useTranslation('agents');
  const { all, list, agents, mayAuthor, mayConnect, maySeeInventory } = loaded;
  const columns = useColumns();
  const other = all ? href('/dashboard/agents') : `${href('/dashboard/agents')}?owner=all`;
  const whole = all ? `${href('/dashboard/agents')}?owner=all` : href('/dashboard/agents');
  const create = mayAuthor ? (
    <ButtonLink to={href('/dashboard/agents/authored/new')} variant="primary">
      {t('list.create')}
    </ButtonLink>
  ) : null;
  const addBuiltin =
    mayConnect && loaded.builtinMissing ? (
      <CommandForm hidden={{ intent: 'addBuiltin' }}>
        <SubmitButton variant="secondary" busyLabel={t('list.adding')}>
          {t('list.addBuiltin')}
        </SubmitButton>
      </CommandForm>
    ) : null;
  return (
    <PageFrame
      title={all ? t('list.allTitle') : t('list.mineTitle')}
      wide
      description={t('list.description')}
      actions={
        <>
          <ButtonLink to={other}>{all ? t('list.toMine') : t('list.toAll')}</ButtonLink>
          {maySeeInventory ? <ButtonLink to={href('/dashboard/agents/inventory')}>{t('list.inventory')}</ButtonLink> : null}
          <ButtonLink to={href('/dashboard/agents/monitoring')}>{t('list.monitoring')}</ButtonLink>
          {mayConnect ? <ButtonLink to={href('/dashboard/agents/new')}>{t('list.connect')}</ButtonLink> : null}
          {create}
        </>
      }
    >
      <ListSearch url={list.url} rows={agents.length} label={t('list.search')} submit={t('list.filter')} whole={whole} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          state: { label: t('columns.state'), of: (value) => t(value as AgentRow['state'] | 'paused') },
          kind: { label: t('columns.kind'), of: (value) => t(value as AgentRow['kind']) },
        }}
      />
      <ListTable
        list={list}
        caption={all ? t('list.allTitle') : t('list.mineTitle')}
        rows={agents}
        rowKey={(row) => row.id}
        columns={columns}
        whole={whole}
        empty={
          <EmptyState
            title={all ? t('list.empty') : t('list.emptyMine')}
            description={mayAuthor ? t('list.emptyHint') : t('list.emptyHintReader')}
            action={
              <>
                {all ? null : <ButtonLink to={other}>{t('list.toAll')}</ButtonLink>}
                {addBuiltin}
                {create}
              </>
            }
          />
        }
      />
      {agents.length > 0 && addBuiltin !== null ? <div className="mt-4">{addBuiltin}</div> : null}
    </PageFrame>
  );
}

function useColumns(): Column<AgentRow>[] {
  const { t } = useTranslation('agents');
  return [
    {
      key: 'name',
      header: t('columns.name'),
      sortable: true,
      cell: (row) => (
        <>
          <Link to={row.path} className="text-link">
            <bdi>{row.name}</bdi>
          </Link>
          {row.description === '' ? null : (
            <p dir="auto" className="line-clamp-2 text-as-parent text-sm font-normal text-muted">
              {row.description}
            </p>
          )}
        </>
      ),
    },
    { key: 'presence', header: t('columns.presence'), cell: (row) => <StatusWord status={row.presence} /> },
    {
      key: 'state',
      header: t('columns.state'),
      sortable: true,
      cell: (row) => (row.state === 'ready' ? <span className="whitespace-nowrap">{t('ready')}</span> : <Badge>{t(row.state)}</Badge>),
    },
    { key: 'kind', header: t('columns.kind'), sortable: true, minor: true, cell: (row) => t(row.kind) },
    {
      key: 'lastRun',
      header: t('columns.lastRun'),
      cell: (row) =>
        row.lastRun === null ? (
          t('list.never')
        ) : (
          <Link className="text-link" to={href('/dashboard/runs/:run', { run: row.lastRun.id })}>
            <RelativeTime at={row.lastRun.at} />
          </Link>
        ),
    },
    { key: 'owner', header: t('columns.owner'), sortable: true, minor: true, cell: (row) => <bdi>{row.owner ?? t('formerMember')}</bdi> },
  ];
}
