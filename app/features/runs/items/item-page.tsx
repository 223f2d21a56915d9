import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { useRunChanges } from '#app/components/live/use-run-changes.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { itemsAddress } from '#app/features/runs/items/item-address.ts';
import type { LoadedItem } from '#app/features/runs/items/load-items.server.ts';
import { RunStepCard } from '#app/features/runs/run-step-card.tsx';
import { valueAddress } from '#app/features/runs/value-address.ts';

/** One item of a loop: its state, its steps and its result. */
export function ItemPage({ run, loop, item, steps }: LoadedItem) {
  const { t } = useTranslation('runs');
  const { number } = useFormats();
  useRunChanges(run.id, !run.over);
  return (
    <PageFrame
      title={t('items.itemTitle', { number: number(item.index + 1), name: loop.name })}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        { label: t('run.title', { name: run.workflow }), to: href('/dashboard/runs/:run', { run: run.id }) },
        { label: loop.name, to: itemsAddress(run.id, loop.path) },
      ]}
    >
      <div className="grid gap-6">
        <p className="text-lg" role="status">
          <StatusWord status={item.status} />
        </p>
        {item.error === null ? null : (
          <Notice kind="danger" title={t('items.failedTitle')}>
            <ExplanationText explanation={item.error} />
          </Notice>
        )}
      </div>
      <Section title={t('run.steps')}>
        {steps.length === 0 ? (
          <EmptyState title={t('run.noSteps')} description={t('run.noStepsHint')} />
        ) : (
          <ol className="grid gap-4">
            {steps.map((step) => (
              <RunStepCard key={step.path} step={step} run={run.id} againFrom={null} />
            ))}
          </ol>
        )}
      </Section>
      {item.output === null ? null : (
        <Section title={t('run.result')}>
          <ValueView value={item.output} label={t('run.result')} file={valueAddress(run.id, 'output', item.path)} />
        </Section>
      )}
    </PageFrame>
  );
}
