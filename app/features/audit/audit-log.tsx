import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import type { RefusedView } from '#app/components/saved-views/saved-views.server.ts';
import { SavedViews } from '#app/components/saved-views/saved-views.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { AuditFilterForm } from '#app/features/audit/audit-filter.tsx';
import { AuditTable } from '#app/features/audit/audit-table.tsx';
import type { LoadedAuditLog } from '#app/features/audit/load-audit-log.server.ts';

export function AuditLog({
  filter,
  valid,
  seesAll,
  searched,
  people,
  actions,
  rows,
  views,
  list,
  refused,
}: LoadedAuditLog & { refused: RefusedView | undefined }) {
  const { t } = useTranslation('audit');
  return (
    <PageFrame
      title={t('title')}
      wide
      description={
        <>
          <p>{t('description')}</p>
          <p className="mt-1">{seesAll ? t('scopeAll') : t('scopeOwn')}</p>
        </>
      }
      actions={
        <>
          <ButtonLink to={href('/dashboard/audit/checkpoints')}>{t('links.checkpoints')}</ButtonLink>
          {seesAll ? <ButtonLink to={href('/dashboard/audit/packs')}>{t('links.packs')}</ButtonLink> : null}
          {seesAll ? <ButtonLink to={href('/dashboard/audit/proof')}>{t('links.proof')}</ButtonLink> : null}
        </>
      }
    >
      <AuditFilterForm
        searched={searched}
        filter={filter}
        valid={valid}
        people={people}
        actions={actions}
        counts={list.counts}
        seesAll={seesAll}
      />
      <SavedViews views={views} url={list.url} refused={refused} />
      <AuditTable
        caption={t('table')}
        rows={rows}
        list={list}
        empty={<EmptyState title={t('empty.title')} description={t('empty.description')} />}
        noneFound={
          <EmptyState
            title={t('emptyFiltered.title')}
            description={t('emptyFiltered.description')}
            action={<ButtonLink to={href('/dashboard/audit')}>{t('filter.clear')}</ButtonLink>}
          />
        }
      />
    </PageFrame>
  );
}
