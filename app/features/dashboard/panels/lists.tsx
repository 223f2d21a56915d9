import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyPart, EmptyState } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useActionWords } from '#app/components/text/action-words.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { Change, ErrorGroup, NewRun } from '#app/features/dashboard/read/read-happening.server.ts';
import type { MyDraft } from '#app/features/dashboard/read/read-work.server.ts';

export function Drafts({ drafts, builds }: { drafts: readonly MyDraft[]; builds: boolean }) {
  const { t } = useTranslation('dashboard');
  return (
    <Section title={t('drafts.title')}>
      <DataTable
        caption={t('drafts.title')}
        rows={drafts}
        rowKey={(draft) => draft.id}
        empty={
          <EmptyPart
            title={t('drafts.none')}
            action={
              <Link to={builds ? href('/dashboard/workflows/new') : href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t(builds ? 'newWorkflow' : 'runs.toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          {
            key: 'name',
            header: t('drafts.name'),
            cell: (draft) => (
              <Link
                to={
                  draft.kind === 'agent'
                    ? href('/dashboard/agents/authored/:agent/edit', { agent: draft.id })
                    : href('/dashboard/workflows/:workflow/edit', { workflow: draft.id })
                }
                className="text-link"
              >
                <bdi>{draft.name}</bdi>
              </Link>
            ),
          },
          { key: 'state', header: t('drafts.state'), cell: (draft) => t(draft.published ? 'drafts.published' : 'drafts.unpublished') },
          { key: 'at', header: t('drafts.at'), align: 'end', cell: (draft) => <RelativeTime at={draft.at} /> },
        ]}
      />
    </Section>
  );
}

export function NewestRuns({ runs }: { runs: readonly NewRun[] }) {
  const { t } = useTranslation('dashboard');
  const format = useFormats();
  return (
    <Section
      title={t('runs.title')}
      actions={
        <Link to={href('/dashboard/runs')} className="text-link text-sm">
          {t('runs.all')}
        </Link>
      }
    >
      <DataTable
        caption={t('runs.title')}
        rows={runs}
        rowKey={(run) => run.id}
        columns={[
          {
            key: 'workflow',
            header: t('runs.workflow'),
            cell: (run) => (
              <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link">
                <bdi>{format.runName(run)}</bdi>
              </Link>
            ),
          },
          {
            key: 'status',
            header: t('runs.status'),
            cell: (run) => (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <StatusWord status={run.status} />
                {run.mode === 'test' ? <Badge>{t('runs.test')}</Badge> : null}
              </span>
            ),
          },
          { key: 'started', header: t('runs.started'), cell: (run) => <RelativeTime at={run.createdAt} />, align: 'end' },
        ]}
        empty={
          <EmptyState
            title={t('runs.empty')}
            description={t('runs.emptyText')}
            action={<ButtonLink to={href('/dashboard/workflows')}>{t('runs.toWorkflows')}</ButtonLink>}
          />
        }
      />
    </Section>
  );
}

/** Failures of the last seven days as groups; each leads to its runs. */
export function Errors({ groups }: { groups: readonly ErrorGroup[] }) {
  const { t } = useTranslation('dashboard');
  const format = useFormats();
  return (
    <Section title={t('errors.title')} description={groups.length === 0 ? undefined : t('errors.text')}>
      <DataTable
        caption={t('errors.title')}
        rows={groups}
        rowKey={(group) => `${group.key} ${group.workflowId} ${group.path}`}
        empty={
          <EmptyPart
            title={t('errors.none')}
            action={
              <Link to={href('/dashboard/runs')} className="text-link inline-block py-0.5">
                {t('runs.all')}
              </Link>
            }
          />
        }
        columns={[
          {
            key: 'cause',
            header: t('errors.cause'),
            cell: (group) => (
              <>
                <ExplanationText explanation={group.latest} />
                <span className="block text-muted">
                  <bdi>{group.step === null ? group.workflow : format.series([group.step, group.workflow])}</bdi>
                </span>
              </>
            ),
          },
          {
            key: 'runs',
            header: t('errors.runs'),
            align: 'end',
            cell: (group) => (
              <Link to={`${href('/dashboard/runs')}?${runsOf(group)}`} className="text-link inline-block py-0.5">
                {t('errors.count', { count: group.runs, number: format.number(group.runs) })}
              </Link>
            ),
          },
          { key: 'last', header: t('errors.last'), align: 'end', cell: (group) => <RelativeTime at={group.lastAt} /> },
        ]}
      />
    </Section>
  );
}

const runsOf = ({ key, workflowId }: ErrorGroup) =>
  new URLSearchParams({ status: 'failed', workflow: workflowId, mode: 'live', error: key });

export function Changes({ changes }: { changes: { rows: readonly Change[]; all: boolean } }) {
  const { t } = useTranslation('dashboard');
  const words = useActionWords();
  return (
    <Section
      title={t('changes.title')}
      description={changes.all ? undefined : t('changes.own')}
      actions={
        <Link to={href('/dashboard/audit')} className="text-link text-sm">
          {t('changes.allLink')}
        </Link>
      }
    >
      <DataTable
        caption={t('changes.title')}
        rows={changes.rows}
        rowKey={(change) => change.id}
        empty={
          <EmptyPart
            title={t('changes.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('runs.toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          {
            key: 'action',
            header: t('changes.action'),
            cell: (change) => (
              <>
                <Link to={href('/dashboard/audit/:event', { event: change.id })} className="text-link">
                  {words(change.action)}
                </Link>
                {change.resource === null ? null : (
                  <span className="block text-muted">
                    <bdi>{change.resource}</bdi>
                  </span>
                )}
              </>
            ),
          },
          { key: 'actor', header: t('changes.actor'), cell: (change) => <bdi>{change.actor ?? t('changes.byQuorate')}</bdi> },
          { key: 'at', header: t('changes.at'), align: 'end', cell: (change) => <RelativeTime at={change.at} /> },
        ]}
      />
    </Section>
  );
}
