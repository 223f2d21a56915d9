import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WatchButton } from '#app/components/data/watch-button.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { FlowView } from '#app/features/workflows/flow-view.tsx';
import type { WorkflowDetail } from '#app/features/workflows/load-workflow.server.ts';

/** A workflow: active version, all versions, latest runs, and its actions. */
export function WorkflowDetailView({ workflow, watched, mayAuthor }: { workflow: WorkflowDetail; watched: boolean; mayAuthor: boolean }) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  const { published } = workflow;
  return (
    <PageFrame
      title={workflow.name}
      wide
      description={workflow.description}
      breadcrumbs={[{ label: t('list.title'), to: href('/dashboard/workflows') }]}
      actions={
        <>
          {published !== null && workflow.status === 'active' && (
            <ButtonLink to={href('/dashboard/workflows/:workflow/run', { workflow: workflow.id })} variant="primary">
              {t('detail.run')}
            </ButtonLink>
          )}
          <WatchButton
            kind="workflow"
            id={workflow.id}
            watched={watched}
            back={href('/dashboard/workflows/:workflow', { workflow: workflow.id })}
          />
          {mayAuthor && (
            <ButtonLink to={href('/dashboard/workflows/:workflow/edit', { workflow: workflow.id })} variant="secondary">
              {t('detail.edit')}
            </ButtonLink>
          )}
        </>
      }
    >
      {published === null ? (
        <Notice kind="info" title={t('detail.notPublished')}>
          {mayAuthor ? t('detail.notPublishedHint') : t('detail.notPublishedHintUser')}
        </Notice>
      ) : (
        <Section title={t('detail.inForce', { number: published.number })}>
          <div className="grid gap-6">
            <DescriptionList
              items={[
                { term: t('columns.status'), description: <StatusWord status={workflow.status} /> },
                { term: t('detail.owner'), description: <bdi>{workflow.owner ?? t('detail.formerMember')}</bdi> },
                { term: t('detail.publishedBy'), description: <bdi>{published.author ?? t('detail.formerMember')}</bdi> },
                { term: t('detail.publishedAt'), description: <RelativeTime at={published.at} /> },
                { term: t('detail.contentHash'), description: <Digest value={published.contentHash} /> },
                ...(published.document.subject === undefined
                  ? []
                  : [{ term: t('settings.subject'), description: <code dir="ltr">{published.document.subject}</code> }]),
              ]}
            />
            <FlowView steps={published.document.steps} name={workflow.name} />
          </div>
        </Section>
      )}
      <Section
        title={t('detail.runs')}
        actions={
          <ButtonLink to={`${href('/dashboard/runs')}?workflow=${workflow.id}`} variant="quiet" size="small">
            {t('detail.allRuns')}
          </ButtonLink>
        }
      >
        <DataTable
          caption={t('detail.runsCaption', { name: workflow.name })}
          rows={workflow.runs}
          rowKey={(run) => run.id}
          columns={[
            {
              key: 'run',
              header: t('detail.oneRun'),
              cell: (run) => (
                <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link">
                  <bdi>{format.runName({ ...run, workflow: workflow.name })}</bdi>
                </Link>
              ),
            },
            { key: 'at', header: t('detail.started'), cell: (run) => <RelativeTime at={run.at} /> },
            { key: 'status', header: t('columns.status'), cell: (run) => <StatusWord status={run.status} /> },
            {
              key: 'mode',
              header: t('detail.mode'),
              cell: (run) => <Badge>{run.mode === 'live' ? t('detail.live') : t('detail.test')}</Badge>,
            },
            { key: 'initiator', header: t('detail.initiator'), cell: (run) => <bdi>{run.initiator ?? t('detail.formerMember')}</bdi> },
          ]}
          empty={
            <EmptyState
              title={t('detail.noRuns')}
              description={t('detail.noRunsHint')}
              action={
                published !== null && workflow.status === 'active' ? (
                  <ButtonLink to={href('/dashboard/workflows/:workflow/run', { workflow: workflow.id })}>{t('detail.run')}</ButtonLink>
                ) : undefined
              }
            />
          }
        />
      </Section>
      <Section title={t('detail.versions')}>
        <DataTable
          caption={t('detail.versionsCaption', { name: workflow.name })}
          rows={workflow.versions}
          rowKey={(version) => String(version.number)}
          columns={[
            {
              key: 'number',
              header: t('detail.version'),
              cell: (version) => (
                <Link
                  to={href('/dashboard/workflows/:workflow/versions/:number', { workflow: workflow.id, number: String(version.number) })}
                  className="text-link"
                >
                  {t('detail.versionNumber', { number: version.number })}
                </Link>
              ),
            },
            { key: 'at', header: t('detail.publishedAt'), cell: (version) => <RelativeTime at={version.at} /> },
            { key: 'author', header: t('detail.publishedBy'), cell: (version) => <bdi>{version.author ?? t('detail.formerMember')}</bdi> },
            { key: 'hash', header: t('detail.contentHash'), cell: (version) => <Digest value={version.contentHash} /> },
          ]}
          empty={<EmptyState title={t('detail.noVersions')} />}
        />
      </Section>
      {mayAuthor && (
        <Section title={t('detail.more')}>
          <div className="flex flex-wrap gap-2">
            {published !== null && (
              <CommandForm hidden={{ intent: workflow.status === 'active' ? 'pause' : 'resume' }}>
                <Button>{workflow.status === 'active' ? t('detail.pause') : t('detail.resume')}</Button>
              </CommandForm>
            )}
            <CommandForm hidden={{ intent: 'duplicate' }}>
              <Button>{t('detail.duplicate')}</Button>
            </CommandForm>
            <ButtonLink to={href('/dashboard/workflows/:workflow/delete', { workflow: workflow.id })} variant="danger">
              {t('detail.delete')}
            </ButtonLink>
          </div>
        </Section>
      )}
    </PageFrame>
  );
}
