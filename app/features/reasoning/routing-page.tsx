import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { CandidateTable } from '#app/features/reasoning/candidate-table.tsx';
import type { LoadedRouting } from '#app/features/reasoning/load-routing.server.ts';
import { ReasoningLinks } from '#app/features/reasoning/reasoning-links.tsx';
import { RouteForm } from '#app/features/reasoning/route-form.tsx';

const PATH = href('/dashboard/ai-orchestration');

/** Routing: a task to try, and recent choices. */
export function RoutingPage(loaded: LoadedRouting) {
  const { t } = useTranslation('reasoning');
  const { recent, next, choicesOnly, paged } = loaded;
  const only: Record<string, string> = choicesOnly ? { only: 'choices' } : {};
  return (
    <PageFrame title={t('title')} description={t('description')}>
      <ReasoningLinks />
      <div>
        <Section title={t('form.title')} description={t('form.description')}>
          <RouteForm {...loaded} />
        </Section>
        <Section
          title={t('recent.title')}
          description={t('recent.description')}
          actions={
            <ButtonLink size="small" to={choicesOnly ? PATH : `${PATH}?only=choices`}>
              {choicesOnly ? t('recent.all') : t('recent.choicesOnly')}
            </ButtonLink>
          }
        >
          {recent.length === 0 ? (
            <EmptyState
              title={choicesOnly || paged ? t('recent.noneFound') : t('recent.empty')}
              description={choicesOnly || paged ? undefined : t('recent.emptyText')}
              action={
                <ButtonLink to={choicesOnly || paged ? PATH : href('/dashboard/workflows')}>
                  {choicesOnly || paged ? t('recent.all') : t('recent.toWorkflows')}
                </ButtonLink>
              }
            />
          ) : (
            <ul className="grid gap-3">
              {recent.map((step) => (
                <Routed key={`${step.runId}:${step.path}`} step={step} />
              ))}
            </ul>
          )}
          {next === null ? null : (
            <p className="mt-4">
              <ButtonLink to={`${PATH}?${new URLSearchParams({ ...only, before: next })}`}>{t('recent.older')}</ButtonLink>
            </p>
          )}
        </Section>
      </div>
    </PageFrame>
  );
}

function Routed({ step }: { step: LoadedRouting['recent'][number] }) {
  const named = useNamed();
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  const tookMs = step.reason?.values.tookMs;
  return (
    <li className="grid gap-2 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="flex flex-wrap items-baseline gap-x-2 text-base font-semibold">
          <Link
            className="text-link"
            to={`${href('/dashboard/runs/:run', { run: step.runId })}?${new URLSearchParams({ step: step.path })}#step`}
          >
            <bdi>{step.name}</bdi>
          </Link>
          <span className="font-normal text-muted">
            <bdi>{step.workflow}</bdi>
          </span>
          {step.mode === 'test' ? <Badge>{t('recent.test')}</Badge> : null}
        </h3>
        <span className="flex flex-wrap items-baseline gap-x-4 text-sm">
          <StatusWord status={step.status} />
          <RelativeTime at={step.at} />
        </span>
      </div>
      {step.reason === null ? null : (
        <p className="max-w-measure">
          <ExplanationText explanation={step.reason} />
        </p>
      )}
      <p className="text-sm text-muted">
        {t('recent.considered', { number: formats.number(step.candidates.length) })}
        {typeof tookMs === 'number'
          ? ` · ${t('recent.took', { time: formats.number(tookMs, { maximumFractionDigits: 2, style: 'unit', unit: 'millisecond' }) })}`
          : null}
      </p>
      {step.candidates.length === 0 ? null : (
        <details>
          <summary aria-label={named(t('recent.candidates'), step.name)} className="text-link inline-block min-h-6 cursor-pointer text-sm">
            {t('recent.candidates')}
          </summary>
          <div className="mt-3">
            <CandidateTable caption={t('recent.candidatesOf', { name: step.name })} candidates={step.candidates} />
          </div>
        </details>
      )}
    </li>
  );
}
