import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { WindowForm } from '#app/components/data/window-form.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { SUGGESTION_LIMITS as L, type Suggestion } from '#app/domain/runs/suggestions.ts';
import { windowQuery } from '#app/domain/runs/time-window.ts';
import type { LoadedProcessOptimization } from '#app/features/reasoning/load-process.server.ts';
import { ReasoningLinks } from '#app/features/reasoning/reasoning-links.tsx';
import Lightbulb from '~icons/lightbulb';

const PATH = href('/dashboard/ai-orchestration/process-optimization');

/** Suggestions from the workspace's own runs, each with its evidence. */
export function ProcessOptimizationPage({ suggestions, looked, window }: LoadedProcessOptimization) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  const nothing = looked.steps === 0 && looked.approvals === 0;
  return (
    <PageFrame title={t('optimization.title')} description={t('optimization.description')}>
      <ReasoningLinks />
      <WindowForm path={PATH} window={window} />
      <p className="mb-4 text-sm text-muted">
        {t('optimization.looked', { steps: formats.number(looked.steps), approvals: formats.number(looked.approvals) })}
      </p>
      {suggestions.length === 0 ? (
        <EmptyState
          title={nothing ? t('optimization.empty') : t('optimization.nothing')}
          description={nothing ? t('optimization.emptyText') : t('optimization.nothingText')}
          action={nothing ? <ButtonLink to={href('/dashboard/workflows')}>{t('recent.toWorkflows')}</ButtonLink> : undefined}
        />
      ) : (
        <ul className="grid gap-3">
          {suggestions.map((suggestion) => (
            <SuggestionCard
              key={`${suggestion.kind}${suggestion.workflowId}${suggestion.path}${'capability' in suggestion ? suggestion.capability : ''}`}
              suggestion={suggestion}
              query={windowQuery(window.choice)}
            />
          ))}
        </ul>
      )}
      <Section title={t('optimization.limits')} description={t('optimization.limitsText')}>
        <ul className="grid max-w-measure list-disc gap-1.5 ps-5">
          <li>
            {t('limits.failing', { calls: L.failingCalls, share: formats.percent(L.failingShare), better: formats.percent(L.betterShare) })}
          </li>
          <li>{t('limits.alwaysApproved', { approvals: L.approvals, days: L.approvalDays })}</li>
          <li>{t('limits.retried', { calls: L.retriedCalls, share: formats.percent(L.retriedShare) })}</li>
          <li>{t('limits.slow', { calls: L.slowCalls, time: formats.duration(L.slowMs), share: formats.percent(L.slowShare) })}</li>
          <li>{t('limits.unused', { runs: L.unusedRuns })}</li>
        </ul>
      </Section>
    </PageFrame>
  );
}

function SuggestionCard({ suggestion, query }: { suggestion: Suggestion; query: Record<string, string> }) {
  const { t } = useTranslation('reasoning');
  const evidence = useEvidence()(suggestion);
  const where = new URLSearchParams({ ...query, workflow: suggestion.workflowId });
  return (
    <li className="flex gap-4 rounded-lg border border-line bg-surface p-4">
      <Lightbulb aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="grid min-w-0 gap-2">
        <h2 className="text-base font-semibold">{t(`suggestion.${suggestion.kind}`, { step: suggestion.name })}</h2>
        <p className="max-w-measure">{evidence}</p>
        <p className="max-w-measure text-muted">{t(`advice.${suggestion.kind}`)}</p>
        <p className="flex flex-wrap gap-2">
          <ButtonLink size="small" to={href('/dashboard/workflows/:workflow', { workflow: suggestion.workflowId })}>
            {t('optimization.openWorkflow', { workflow: suggestion.workflow })}
          </ButtonLink>
          <ButtonLink size="small" variant="quiet" to={`${href('/dashboard/ai-orchestration/process-intelligence')}?${where}`}>
            {t('optimization.evidence')}
          </ButtonLink>
        </p>
      </div>
    </li>
  );
}

/** The evidence, as a sentence with its numbers. */
function useEvidence(): (suggestion: Suggestion) => string {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  const n = formats.number;
  return (suggestion) => {
    switch (suggestion.kind) {
      case 'useOther':
        return t('evidence.useOther', {
          errors: n(suggestion.errors),
          calls: n(suggestion.calls),
          capability: suggestion.capability,
          other: suggestion.other,
          otherErrors: n(suggestion.otherErrors),
          otherCalls: n(suggestion.otherCalls),
        });
      case 'failing':
        return t('evidence.failing', { errors: n(suggestion.errors), calls: n(suggestion.calls), capability: suggestion.capability });
      case 'alwaysApproved':
        return t('evidence.alwaysApproved', { approved: n(suggestion.approved), days: n(suggestion.days) });
      case 'retried':
        return t('evidence.retried', { retried: n(suggestion.retried), count: n(suggestion.count) });
      case 'slow':
        return t('evidence.slow', {
          time: formats.duration(suggestion.p95Ms),
          share: formats.percent(suggestion.share),
          count: n(suggestion.count),
        });
      case 'unused':
        return t('evidence.unused', { runs: n(suggestion.runs) });
    }
  };
}
