import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { ComparedStep, StepDifference } from '#app/domain/runs/run-comparison.ts';
import type { LoadedComparison } from '#app/features/runs/compare/load-comparison.server.ts';
import { PANEL_ID } from '#app/features/runs/trace/trace-place.ts';

const TONES = {
  none: 'neutral',
  status: 'danger',
  input: 'info',
  output: 'attention',
  onlyHere: 'info',
  onlyThere: 'info',
} as const satisfies {
  [Difference in StepDifference]: string;
};

/** Two runs of one workflow, step by step. */
export function ComparePage({ run, other, others, pairs, most }: LoadedComparison) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const different = pairs.filter(({ difference }) => difference !== 'none').length;
  return (
    <PageFrame
      title={t('compare.title')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        { label: format.runName(run), to: href('/dashboard/runs/:run', { run: run.id }) },
      ]}
    >
      {other === null ? (
        <EmptyState title={t('compare.alone')} description={t('compare.aloneHint')} />
      ) : (
        <>
          <Form method="get" className="mb-6 flex flex-wrap items-end gap-3">
            <FilterChoice
              id="with"
              name="with"
              label={t('compare.with')}
              value={other.id}
              options={others.map((one) => ({ value: one.id, label: `${format.runName(one)} · ${format.exactTime(one.createdAt)}` }))}
            />
            <Button>{t('compare.show')}</Button>
          </Form>
          <Section title={t('compare.runs')}>
            <Runs run={run} other={other} />
          </Section>
          <Section
            title={t('run.steps')}
            description={
              different === 0 ? t('compare.allSame') : t('compare.different', { count: different, number: format.number(different) })
            }
          >
            <DataTable
              caption={t('compare.caption')}
              rows={pairs}
              rowKey={({ path }) => path}
              columns={[
                { key: 'step', header: t('compare.step'), cell: ({ name }) => <bdi className="font-semibold">{name}</bdi> },
                { key: 'here', header: t('compare.here'), cell: ({ here, path }) => <Outcome step={here} to={anchor(run.id, path)} /> },
                {
                  key: 'there',
                  header: t('compare.there'),
                  cell: ({ there, path }) => <Outcome step={there} to={anchor(other.id, path)} />,
                },
                {
                  key: 'difference',
                  header: t('compare.difference'),
                  cell: ({ difference }) => <Badge tone={TONES[difference]}>{t(`compare.${difference}`)}</Badge>,
                },
              ]}
              empty={<EmptyState title={t('run.noSteps')} />}
            />
            {most !== null && <p className="mt-3">{t('compare.cut', { number: format.number(most) })}</p>}
            <p className="mt-3 text-sm text-muted">{t('compare.hint')}</p>
          </Section>
        </>
      )}
    </PageFrame>
  );
}

const anchor = (run: string, step: string) => `${href('/dashboard/runs/:run', { run })}?${new URLSearchParams({ step })}#${PANEL_ID}`;

function Runs({ run, other }: Pick<LoadedComparison, 'run'> & { other: LoadedComparison['run'] }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  return (
    <DataTable
      caption={t('compare.runs')}
      rows={[run, other]}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'run',
          header: t('compare.run'),
          cell: ({ id }) => (
            <Link to={href('/dashboard/runs/:run', { run: id })} className="text-link">
              {id === run.id ? t('compare.here') : t('compare.there')}
            </Link>
          ),
        },
        { key: 'status', header: t('list.status'), cell: ({ status }) => <StatusWord status={status} /> },
        {
          key: 'version',
          header: t('run.version'),
          cell: ({ version }) => (version === null ? t('run.draft') : t('run.versionNumber', { number: version })),
        },
        { key: 'started', header: t('run.started'), cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        { key: 'active', header: t('run.active'), cell: ({ activeMs }) => (activeMs === null ? '–' : format.duration(activeMs)) },
      ]}
      empty={null}
    />
  );
}

function Outcome({ step, to }: { step: ComparedStep | null; to: string }) {
  const format = useFormats();
  if (step === null) return '–';
  return (
    <Link to={to} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusWord status={step.status} />
      {step.ms !== null && <span className="text-sm text-muted tabular-nums">{format.duration(step.ms)}</span>}
    </Link>
  );
}
