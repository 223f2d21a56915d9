import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedSeveral } from '#app/features/runs/several/load-several.server.ts';

/** The runs that were selected, and what will become of each, before anything is done. */
export function SeveralPage({ act, runs, back }: LoadedSeveral) {
  const { t } = useTranslation('runs');
  const meant = runs.filter(({ leftOut }) => leftOut === null);
  return (
    <PageFrame
      title={t(`several.${act}Title`)}
      description={t(`several.${act}Text`)}
      breadcrumbs={[{ label: t('list.title'), to: href('/dashboard/runs') }]}
    >
      <DataTable
        caption={t('several.caption')}
        rows={runs}
        rowKey={({ id }) => id}
        columns={[
          { key: 'workflow', header: t('list.workflow'), cell: (row) => <bdi>{row.workflow}</bdi> },
          { key: 'status', header: t('list.status'), cell: (row) => <StatusWord status={row.status} /> },
          { key: 'started', header: t('run.started'), cell: (row) => <RelativeTime at={row.createdAt} /> },
          {
            key: 'outcome',
            header: t('several.outcome'),
            cell: (row) => (
              <span className="whitespace-nowrap">
                {row.leftOut === null ? t(`several.${act}Outcome`) : t(`several.leftOut.${row.leftOut}`)}
              </span>
            ),
          },
        ]}
        empty={
          <EmptyState
            title={t('several.none')}
            description={t('several.noneHint')}
            action={<ButtonLink to={back}>{t('several.back')}</ButtonLink>}
          />
        }
      />
      {runs.length > 0 && (
        <CommandForm hidden={{}} className="mt-6 flex flex-wrap gap-3">
          {meant.map(({ id, key }) => (
            <input key={id} type="hidden" name="run" value={`${id} ${key}`} />
          ))}
          {meant.length > 0 && (
            <SubmitButton busyLabel={t('several.busy')}>{t(`several.${act}Submit`, { number: meant.length })}</SubmitButton>
          )}
          <ButtonLink to={back}>{t('several.back')}</ButtonLink>
        </CommandForm>
      )}
    </PageFrame>
  );
}
