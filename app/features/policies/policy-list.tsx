import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedPolicies, PolicyRow } from '#app/features/policies/load-policies.server.ts';
import { DecisionTable } from '#app/features/policies/replay/decision-table.tsx';

export function PolicyList(loaded: LoadedPolicies) {
  const { list, mayAuthor, readsChanges, somebodyApproves, figures, policies, violations } = loaded;
  const { t } = useTranslation('policies');
  const { t: common } = useTranslation('common');
  const columns = useColumns();
  const formats = useFormats();
  const newPolicy = mayAuthor ? (
    <ButtonLink variant="primary" to={href('/dashboard/policies/new')}>
      {t('list.new')}
    </ButtonLink>
  ) : undefined;
  return (
    <PageFrame
      title={t('list.title')}
      wide
      description={t('list.description')}
      actions={
        <>
          <ButtonLink to={href('/dashboard/policies/compliance')}>{t('list.compliance')}</ButtonLink>
          {readsChanges ? <ButtonLink to={href('/dashboard/changes')}>{t('list.changes')}</ButtonLink> : null}
          {newPolicy}
        </>
      }
    >
      {somebodyApproves ? null : (
        <div className="mb-6">
          <Notice kind="attention" title={t('list.nobodyApproves')}>
            {t('list.nobodyApprovesText')}
          </Notice>
        </div>
      )}
      <dl aria-label={t('list.figures')} className="mb-8 grid gap-4 sm:grid-cols-3">
        <Figure term={t('list.active')} meaning={t('list.activeText')}>
          {formats.number(figures.active)}
        </Figure>
        <Figure term={t('list.violations')} meaning={t('list.violationsText')}>
          {formats.number(figures.violations)}
        </Figure>
        <Figure term={t('list.updated')} meaning={t('list.updatedText')}>
          {figures.lastUpdated === null ? t('list.never') : <RelativeTime at={figures.lastUpdated} />}
        </Figure>
      </dl>
      <ListSearch url={list.url} rows={policies.length} label={t('list.search')} submit={common('list.search')} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{ status: { label: t('list.columns.status'), of: (value) => common(`status.${value as PolicyRow['status']}`) } }}
      />
      <ListTable
        list={list}
        caption={t('list.caption')}
        rows={policies}
        rowKey={(policy) => policy.id}
        columns={columns}
        empty={<EmptyState title={t('list.empty')} description={t('list.emptyText')} action={newPolicy} />}
      />
      <Section title={t('list.recent')} description={t('list.recentText')}>
        <DecisionTable
          caption={t('list.recentCaption')}
          rows={violations}
          empty={<EmptyState title={t('decisions.noViolations')} description={t('decisions.noViolationsText')} />}
        />
      </Section>
    </PageFrame>
  );
}

function useColumns(): Column<PolicyRow>[] {
  const { t } = useTranslation('policies');
  const formats = useFormats();
  return [
    {
      key: 'name',
      header: t('list.columns.name'),
      sortable: true,
      cell: (policy) => (
        <>
          <Link className="text-link" to={href('/dashboard/policies/:policy', { policy: policy.id })}>
            <bdi>{policy.name}</bdi>
          </Link>
          {policy.description === '' ? null : (
            <span dir="auto" className="block text-as-parent font-normal text-muted">
              {policy.description}
            </span>
          )}
        </>
      ),
    },
    { key: 'status', header: t('list.columns.status'), sortable: true, cell: (policy) => <StatusWord status={policy.status} /> },
    {
      key: 'version',
      header: t('list.columns.version'),
      align: 'end',
      sortable: true,
      minor: true,
      cell: (policy) => (policy.version === null ? '–' : formats.number(policy.version)),
    },
    {
      key: 'decisions',
      header: t('list.columns.decisions'),
      align: 'end',
      sortable: true,
      cell: (policy) => formats.number(policy.decisions),
    },
    {
      key: 'updated',
      header: t('list.columns.updated'),
      align: 'end',
      sortable: true,
      cell: (policy) => <RelativeTime at={policy.updatedAt} />,
    },
  ];
}

function Figure({ term, meaning, children }: { term: string; meaning: string; children: ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-4">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-1 text-2xl font-semibold tabular-nums [&_time]:whitespace-normal">{children}</dd>
      <dd className="mt-1 text-sm text-muted">{meaning}</dd>
    </div>
  );
}
