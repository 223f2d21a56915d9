import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { IMPACT_QUESTIONS } from '#app/domain/inventory/impact-questions.ts';
import { AgentFactList } from '#app/features/agents/assessment/agent-fact-list.tsx';
import type { LoadedAssessment } from '#app/features/agents/assessment/assessment.server.ts';
import { AssessmentForm } from '#app/features/agents/assessment/assessment-form.tsx';

type Props = { loaded: LoadedAssessment; lastResult: FormResult | undefined };

/** The impact assessment of an agent, to fill in, to read and to print. */
export function AssessmentPage({ loaded, lastResult }: Props) {
  const { t } = useTranslation('inventory');
  const { chosen } = loaded;
  return (
    <PageFrame
      title={t('assessment.title', { name: loaded.name })}
      description={t('assessment.description')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/agents/inventory') },
        { label: loaded.name, to: href('/dashboard/agents/inventory/:agent', { agent: loaded.id }) },
      ]}
    >
      {chosen === null ? null : (
        <p className="mb-6">
          {t('assessment.version', { number: chosen.number })}, <bdi>{chosen.by ?? t('formerMember')}</bdi>,{' '}
          <RelativeTime at={chosen.at} exact />
        </p>
      )}
      <Section title={t('assessment.facts')} description={chosen === null ? t('assessment.factsNow') : t('assessment.factsThen')}>
        <AgentFactList facts={loaded.facts} />
      </Section>
      <Section title={t('assessment.answers')}>
        {loaded.mayKeep && chosen === null ? (
          <AssessmentForm key={loaded.seen} loaded={loaded} lastResult={lastResult} />
        ) : (
          <Answers loaded={loaded} />
        )}
      </Section>
      <Section title={t('assessment.versions')} description={t('assessment.versionsText')}>
        <Versions loaded={loaded} />
      </Section>
    </PageFrame>
  );
}

function Answers({ loaded }: { loaded: LoadedAssessment }) {
  const { t } = useTranslation('inventory');
  const { answers } = loaded;
  if (answers === null) return <EmptyPart title={t('assessment.none')} />;
  return (
    <DescriptionList
      items={IMPACT_QUESTIONS.map(({ id }) => ({
        term: t(`question.${id}`),
        description: (
          <span dir="auto" className="block max-w-measure text-as-parent break-words whitespace-pre-wrap">
            {answers[id] || '–'}
          </span>
        ),
      }))}
    />
  );
}

function Versions({ loaded }: { loaded: LoadedAssessment }) {
  const { t } = useTranslation('inventory');
  const address = href('/dashboard/agents/inventory/:agent/assessment', { agent: loaded.id });
  if (loaded.versions.length === 0) return <EmptyPart title={t('assessment.none')} />;
  return (
    <ol className="grid gap-1">
      {loaded.versions.map(({ number, by, at }) => (
        <li key={number}>
          <Link to={`${address}?version=${number}`} className="text-link inline-block py-0.5">
            {t('assessment.version', { number })}
          </Link>
          , <bdi>{by ?? t('formerMember')}</bdi>, <RelativeTime at={at} exact />
        </li>
      ))}
    </ol>
  );
}
