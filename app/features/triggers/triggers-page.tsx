import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { SelectBox, SelectionBar } from '#app/components/list/selection.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useLabel } from '#app/components/text/named.ts';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { LoadedTriggerList, TriggerRow } from '#app/features/triggers/load-trigger-list.server.ts';

/** Schedules and webhooks, with when they start something and the result of the last time. */
export function TriggersPage({ list, triggers }: LoadedTriggerList) {
  const { t } = useTranslation('triggers');
  const { t: common } = useTranslation('common');
  const columns = useColumns(list.url);
  return (
    <PageFrame
      title={t('title')}
      wide
      description={t('description')}
      breadcrumbs={[{ label: t('workflows'), to: href('/dashboard/workflows') }]}
      actions={
        <>
          <ButtonLink to={href('/dashboard/workflows/advanced/new-webhook')}>{t('newWebhook')}</ButtonLink>
          <ButtonLink to={href('/dashboard/workflows/advanced/new-schedule')} variant="primary">
            {t('newSchedule')}
          </ButtonLink>
        </>
      }
    >
      <ListSearch url={list.url} rows={triggers.length} label={t('list.search')} submit={t('list.filter')} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          status: { label: t('status'), of: (value) => common(`status.${value as TriggerRow['status']}`) },
          kind: { label: t('list.kind'), of: (value) => t(`kind.${value as TriggerRow['kind']}`) },
        }}
      />
      <ListTable
        list={list}
        caption={t('title')}
        rows={triggers}
        rowKey={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState
            title={t('empty')}
            description={t('emptyHint')}
            action={<ButtonLink to={href('/dashboard/workflows/advanced/new-schedule')}>{t('newSchedule')}</ButtonLink>}
          />
        }
      >
        <SelectionBar
          method="post"
          action={list.url}
          hidden={{}}
          label={t('list.with')}
          acts={[
            { value: 'pause', label: t('pause') },
            { value: 'resume', label: t('resume') },
          ]}
        />
      </ListTable>
    </PageFrame>
  );
}

function useColumns(url: string): Column<TriggerRow>[] {
  const { t } = useTranslation('triggers');
  return [
    {
      key: 'name',
      header: t('name'),
      sortable: true,
      cell: (row) => (
        <span className="flex items-baseline gap-3">
          <SelectBox name="selected" value={row.id} of={row.name} />
          <bdi className="wrap-anywhere">{row.name}</bdi>
        </span>
      ),
    },
    { key: 'kind', header: t('list.kind'), sortable: true, minor: true, cell: (row) => t(`kind.${row.kind}`) },
    { key: 'status', header: t('status'), sortable: true, cell: (row) => <StatusWord status={row.status} /> },
    { key: 'workflow', header: t('workflow'), sortable: true, cell: (row) => <Workflow trigger={row} /> },
    { key: 'when', header: t('list.when'), cell: (row) => <When trigger={row} /> },
    { key: 'next', header: t('list.next'), sortable: true, cell: (row) => <Next trigger={row} /> },
    { key: 'last', header: t('last'), sortable: true, cell: (row) => <Last trigger={row} /> },
    { key: 'actions', header: t('list.actions'), align: 'end', cell: (row) => <Acts trigger={row} url={url} /> },
  ];
}

function Workflow({ trigger }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  const label = useLabel();
  return (
    <div className="min-w-32">
      <Link to={href('/dashboard/workflows/:workflow', { workflow: trigger.workflow.id })} className="text-link">
        <bdi>{trigger.workflow.name}</bdi>
      </Link>
      {trigger.publisher === null ? (
        <p className="text-attention-ink">{t('noPublisher')}</p>
      ) : (
        <p className="text-muted">
          {trigger.workflow.active ? (
            <>
              {label(t('actsAs'))} <bdi>{trigger.publisher}</bdi>
            </>
          ) : (
            t('workflowPaused')
          )}
        </p>
      )}
    </div>
  );
}

function When({ trigger: { address, cron, timeZone, name } }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  if (address !== null)
    return (
      <div className="sm:min-w-44 [&_code]:text-xs">
        <CopiedCode text={address} name={`${t('address')} (${name})`} />
      </div>
    );
  return (
    <>
      <code dir="ltr" className="whitespace-nowrap">
        {cron}
      </code>{' '}
      <span className="block text-muted">{timeZone}</span>
    </>
  );
}

/** In the schedule's own zone: that is what its expression means. */
function Next({ trigger: { nextAt, timeZone } }: { trigger: TriggerRow }) {
  const { i18n } = useTranslation('triggers');
  if (nextAt === null) return '–';
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short', timeZone: timeZone ?? 'UTC' });
  return (
    <time dateTime={nextAt} className="whitespace-nowrap">
      {format.format(new Date(nextAt))}
    </time>
  );
}

function Last({ trigger }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  const format = useFormats();
  if (trigger.lastAt === null) return t('never');
  if (trigger.refusal !== null) return t('refusedAt', { when: format.exactTime(trigger.lastAt), why: t(`refusal.${trigger.refusal}`) });
  if (trigger.lastRunId === null) return <RelativeTime at={trigger.lastAt} />;
  return (
    <Link to={href('/dashboard/runs/:run', { run: trigger.lastRunId })} className="text-link">
      <RelativeTime at={trigger.lastAt} />
    </Link>
  );
}

function Acts({ trigger, url }: { trigger: TriggerRow; url: string }) {
  const { t } = useTranslation('triggers');
  const act = trigger.status === 'active' ? 'pause' : 'resume';
  return (
    <div className="flex flex-wrap items-center gap-2 whitespace-nowrap sm:max-2xl:flex-col sm:max-2xl:items-end sm:justify-end">
      <CommandForm action={url} hidden={{ do: act, selected: trigger.id }}>
        <Button size="small" aria-label={t(`${act}Of`, { name: trigger.name })}>
          {t(act)}
        </Button>
      </CommandForm>
      <ButtonLink
        size="small"
        variant="quiet"
        to={href('/dashboard/workflows/advanced/:trigger/delete', { trigger: trigger.id })}
        aria-label={t('deleteOf', { name: trigger.name })}
      >
        {t('delete')}
      </ButtonLink>
    </div>
  );
}
