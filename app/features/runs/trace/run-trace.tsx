import { useTranslation } from 'react-i18next';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import type { Trace } from '#app/features/runs/trace/trace.ts';
import type { TracePlace } from '#app/features/runs/trace/trace-place.ts';
import { TraceTable } from '#app/features/runs/trace/trace-table.tsx';

/** The trace under its heading; before the first step it says what the run waits for. */
export function RunTrace({ trace, place, base }: { trace: Trace; place: TracePlace; base: string }) {
  const { t } = useTranslation('runs');
  return (
    <section aria-labelledby="trace-title">
      <h2 id="trace-title" className="mb-3 text-lg font-semibold">
        {t('trace.title')}
      </h2>
      {trace.steps === 0 ? (
        <EmptyState title={t('run.noSteps')} description={t('run.noStepsHint')} />
      ) : (
        <TraceTable trace={trace} place={place} base={base} />
      )}
    </section>
  );
}
