import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { WorkspaceZone } from '#app/components/text/workspace-zone.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Regime, Severity } from '#app/domain/incidents/incident.ts';
import { IncidentStateWord, SeverityWord, useIncidentWords } from '#app/features/incidents/incident-words.tsx';
import type { IncidentRow, IncidentState, LoadedIncidents } from '#app/features/incidents/load-incidents.server.ts';

/** Incidents with their states and what is due next. */
export function IncidentList({ list, incidents, timeZone }: LoadedIncidents) {
  const { t } = useTranslation(['incidents', 'common']);
  const words = useIncidentWords();
  const columns = useColumns();
  const record = (
    <ButtonLink variant="primary" to={href('/dashboard/policies/compliance/incidents/new')}>
      {t('list.record')}
    </ButtonLink>
  );
  return (
    <PageFrame
      title={t('list.title')}
      description={t('list.description')}
      wide
      breadcrumbs={[{ label: t('compliance'), to: href('/dashboard/policies/compliance') }]}
      actions={record}
    >
      <ListSearch url={list.url} rows={incidents.length} label={t('list.search')} submit={t('common:list.search')} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          state: { label: t('column.state'), of: (value) => t(`state.${value as IncidentState}`) },
          severity: { label: t('column.severity'), of: (value) => t(`severity.${value as Severity}`) },
          law: { label: t('column.law'), of: (value) => words.regime(value as Regime) },
        }}
      />
      <WorkspaceZone timeZone={timeZone}>
        <ListTable
          list={list}
          caption={t('list.caption')}
          rows={incidents}
          rowKey={(row) => row.id}
          columns={columns}
          empty={<EmptyState title={t('list.empty')} description={t('list.emptyText')} action={record} />}
        />
      </WorkspaceZone>
    </PageFrame>
  );
}

function useColumns(): Column<IncidentRow>[] {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  const formats = useFormats();
  return [
    {
      key: 'number',
      header: t('column.incident'),
      sortable: true,
      cell: (row) => (
        <Link className="text-link" to={href('/dashboard/policies/compliance/incidents/:incident', { incident: row.id })}>
          <bdi>{t('named', { number: formats.number(row.number, { useGrouping: false }), title: row.title })}</bdi>
        </Link>
      ),
    },
    { key: 'state', header: t('column.state'), sortable: true, cell: (row) => <IncidentStateWord state={row.state} /> },
    { key: 'severity', header: t('column.severity'), sortable: true, minor: true, cell: (row) => <SeverityWord severity={row.severity} /> },
    {
      key: 'laws',
      header: t('column.laws'),
      cell: (row) => (row.regimes.length === 0 ? '–' : formats.series(row.regimes.map((regime) => words.regime(regime)))),
    },
    {
      key: 'due',
      header: t('column.due'),
      align: 'end',
      sortable: true,
      cell: (row) => (row.due === null ? '–' : <RelativeTime at={row.due} />),
    },
    {
      key: 'noticed',
      header: t('column.noticed'),
      align: 'end',
      sortable: true,
      minor: true,
      cell: (row) => <RelativeTime at={row.noticedAt} />,
    },
    { key: 'by', header: t('column.by'), minor: true, cell: (row) => <bdi>{row.recordedBy ?? t('formerMember')}</bdi> },
  ];
}
