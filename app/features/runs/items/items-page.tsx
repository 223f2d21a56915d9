import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { Paging } from '#app/components/data/paging.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { repetitionsOf } from '#app/components/drawing/step-presentation.ts';
import { useRunChanges } from '#app/components/live/use-run-changes.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { itemAddress, itemsAddress } from '#app/features/runs/items/item-address.ts';
import { ItemCounts } from '#app/features/runs/items/item-counts.tsx';
import type { ItemFilter, LoadedItems } from '#app/features/runs/items/load-items.server.ts';

const FILTERS: readonly ItemFilter[] = ['all', 'failed', 'open'];

/** The items of a loop, in the order of its list. */
export function ItemsPage({ run, loop, within, filter, page, pageCount, rows }: LoadedItems) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const what = repetitionsOf(loop.kind);
  useRunChanges(run.id, !run.over);
  const counts = { all: loop.ok + loop.failed + loop.open, failed: loop.failed, open: loop.open };
  return (
    <PageFrame
      title={t(`repeated.${what}.title`, { name: loop.name })}
      description={<ItemCounts kind={loop.kind} items={loop} />}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        { label: format.runName(run), to: href('/dashboard/runs/:run', { run: run.id }) },
        ...(within === null ? [] : [{ label: within, to: itemAddress(run.id, within) }]),
      ]}
    >
      <nav aria-label={t(`repeated.${what}.filter`)} className="mb-4">
        <ul className="flex flex-wrap gap-2">
          {FILTERS.map((name) => (
            <li key={name}>
              <Link
                to={itemsAddress(run.id, loop.path, name)}
                className={buttonClass(name === filter ? 'primary' : 'secondary', 'small')}
                {...(name === filter ? { 'aria-current': 'true' as const } : {})}
              >
                {t(`repeated.${what}.${name}`, { number: format.number(counts[name]) })}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <DataTable
        caption={t(`repeated.${what}.caption`, { name: loop.name })}
        rows={rows}
        rowKey={(row) => row.path}
        columns={[
          {
            key: 'item',
            header: t(`repeated.${what}.item`),
            cell: (row) => (
              <Link to={itemAddress(run.id, row.path)} className="text-link whitespace-nowrap">
                {t(`repeated.${what}.number`, { number: format.number(row.index + 1) })}
              </Link>
            ),
          },
          { key: 'status', header: t('list.status'), cell: (row) => <StatusWord status={row.status} /> },
          {
            key: 'result',
            header: t('run.result'),
            cell: (row) =>
              row.error !== null ? (
                <span className="text-danger-ink">
                  <ExplanationText explanation={row.error} />
                </span>
              ) : row.result === null ? (
                '–'
              ) : (
                <bdi className="font-mono text-sm wrap-anywhere">{revealedText(row.result)}</bdi>
              ),
          },
          {
            key: 'took',
            header: t('step.took'),
            align: 'end',
            cell: (row) => (row.finishedAt === null ? '–' : format.duration(Date.parse(row.finishedAt) - Date.parse(row.startedAt))),
          },
        ]}
        empty={
          <EmptyState
            title={t(`repeated.${what}.none`)}
            action={
              filter === 'all' ? (
                <ButtonLink to={href('/dashboard/runs/:run', { run: run.id })}>
                  <bdi>{format.runName(run)}</bdi>
                </ButtonLink>
              ) : (
                <ButtonLink to={itemsAddress(run.id, loop.path, 'all')}>
                  {t(`repeated.${what}.all`, { number: format.number(counts.all) })}
                </ButtonLink>
              )
            }
          />
        }
      />
      <Paging page={page} pageCount={pageCount} url={itemsAddress(run.id, loop.path, filter)} />
    </PageFrame>
  );
}
