import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedAgentList } from '#app/features/agents/load-agent-list.server.ts';

/** Agents written here and remote ones in one list: mine first, all of them one link away. */
export function AgentList({ list }: { list: LoadedAgentList }) {
  const { t } = useTranslation('agents');
  const other = list.all ? href('/dashboard/agents') : `${href('/dashboard/agents')}?owner=all`;
  const filtered = list.query !== '';
  const create = list.mayAuthor ? (
    <ButtonLink to={href('/dashboard/agents/authored/new')} variant="primary">
      {t('list.create')}
    </ButtonLink>
  ) : null;
  const connect = list.mayConnect ? <ButtonLink to={href('/dashboard/agents/new')}>{t('list.connect')}</ButtonLink> : null;
  const addBuiltin =
    list.mayConnect && list.builtinMissing ? (
      <CommandForm hidden={{ intent: 'addBuiltin' }}>
        <SubmitButton variant="secondary" busyLabel={t('list.adding')}>
          {t('list.addBuiltin')}
        </SubmitButton>
      </CommandForm>
    ) : null;
  return (
    <PageFrame
      title={list.all ? t('list.allTitle') : t('list.mineTitle')}
      description={t('list.description')}
      actions={
        <>
          <ButtonLink to={other}>{list.all ? t('list.toMine') : t('list.toAll')}</ButtonLink>
          <ButtonLink to={href('/dashboard/agents/monitoring')}>{t('list.monitoring')}</ButtonLink>
          {connect}
          {create}
        </>
      }
    >
      <SearchForm
        action={href('/dashboard/agents')}
        words={list.query}
        label={t('list.search')}
        placeholder={t('list.search')}
        submit={t('list.filter')}
      >
        {list.all ? <input type="hidden" name="owner" value="all" /> : null}
      </SearchForm>
      <DataTable
        caption={list.all ? t('list.allTitle') : t('list.mineTitle')}
        rows={list.agents}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            header: t('columns.name'),
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
            cell: (row) =>
              row.paused ? (
                <Badge>{t('paused')}</Badge>
              ) : row.published ? (
                <span className="whitespace-nowrap">{t('ready')}</span>
              ) : (
                <Badge>{t('draft')}</Badge>
              ),
          },
          { key: 'kind', header: t('columns.kind'), cell: (row) => (row.kind === 'authored' ? t('authored') : t('remote')) },
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
          { key: 'owner', header: t('columns.owner'), cell: (row) => <bdi>{row.owner ?? t('formerMember')}</bdi> },
        ]}
        empty={
          filtered ? (
            <EmptyState
              title={t('list.noneFound')}
              description={t('list.noneFoundHint')}
              action={
                <ButtonLink to={list.all ? `${href('/dashboard/agents')}?owner=all` : href('/dashboard/agents')}>
                  {t('list.clear')}
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState
              title={list.all ? t('list.empty') : t('list.emptyMine')}
              description={list.mayAuthor ? t('list.emptyHint') : t('list.emptyHintReader')}
              action={
                <>
                  {list.all ? null : <ButtonLink to={other}>{t('list.toAll')}</ButtonLink>}
                  {addBuiltin}
                  {create}
                </>
              }
            />
          )
        }
      />
      {list.agents.length > 0 && addBuiltin !== null ? <div className="mt-4">{addBuiltin}</div> : null}
      <KeyPaging url={list.url} next={list.next} />
    </PageFrame>
  );
}
