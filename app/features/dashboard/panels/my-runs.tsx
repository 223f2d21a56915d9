import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { MyRun } from '#app/features/dashboard/read/read-work.server.ts';

/** The reader's runs that failed, with what can be done about it, and those that wait. */
export function MyRuns({ runs, builds }: { runs: readonly MyRun[]; builds: boolean }) {
  const { t } = useTranslation('dashboard');
  const format = useFormats();
  return (
    <Section title={t('myRuns.title')}>
      <DataTable
        caption={t('myRuns.title')}
        rows={runs}
        rowKey={(run) => run.id}
        empty={
          <EmptyPart
            title={t('myRuns.none')}
            action={
              <Link to={href('/dashboard/workflows')} className="text-link inline-block py-0.5">
                {t('runs.toWorkflows')}
              </Link>
            }
          />
        }
        columns={[
          {
            key: 'run',
            header: t('myRuns.run'),
            cell: (run) => (
              <>
                <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link">
                  <bdi>{format.runName(run)}</bdi>
                </Link>
                {run.error === null ? null : (
                  <span className="block max-w-measure text-muted">
                    <ExplanationText explanation={run.error} />
                  </span>
                )}
              </>
            ),
          },
          {
            key: 'status',
            header: t('runs.status'),
            cell: (run) => (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <StatusWord status={run.status} />
                <span className="text-muted">
                  <RelativeTime at={run.at} />
                </span>
                {run.status === 'failed' ? <Acts run={run} builds={builds} /> : null}
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Acts({ run, builds }: { run: MyRun; builds: boolean }) {
  const { t } = useTranslation('dashboard');
  const format = useFormats();
  const named = useNamed();
  const name = format.runName(run);
  // A single call, of a gateway or in the Dev Console, is made again by whoever made it.
  const isCall = run.kind === 'gateway' || run.kind === 'inspection';
  const acts = [
    { key: 'viewDetails' as const, to: href('/dashboard/runs/:run', { run: run.id }), shown: true },
    {
      key: 'configure' as const,
      to: href('/dashboard/workflows/:workflow/edit', { workflow: run.workflowId }),
      shown: builds && run.kind === 'workflow',
    },
    { key: 'restart' as const, to: href('/dashboard/runs/:run/again', { run: run.id }), shown: !isCall },
  ];
  return (
    <span className="flex flex-wrap gap-2">
      {acts
        .filter(({ shown }) => shown)
        .map(({ key, to }) => (
          <ButtonLink key={key} size="small" to={to} aria-label={named(t(`actions.${key}`), name)}>
            {t(`actions.${key}`)}
          </ButtonLink>
        ))}
    </span>
  );
}
