import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { AgentFacts } from '#app/features/agents/agent-facts.tsx';
import type { LoadedAgentVersion } from '#app/features/agents/load-agent-version.server.ts';

/** One version of an agent, as used by its runs. */
export function AgentVersionPage({ version }: { version: LoadedAgentVersion }) {
  const { t } = useTranslation('agents');
  return (
    <PageFrame
      title={t('version.title', { name: version.agent.name, number: version.number })}
      description={t('page.versionsHint')}
      breadcrumbs={[
        { label: t('list.mineTitle'), to: href('/dashboard/agents') },
        { label: version.agent.name, to: href('/dashboard/agents/authored/:agent', { agent: version.agent.id }) },
      ]}
    >
      <DescriptionList
        items={[
          { term: t('columns.state'), description: version.inForce ? t('ready') : t('version.notInForce') },
          { term: t('page.publishedBy'), description: <bdi>{version.author ?? t('formerMember')}</bdi> },
          { term: t('page.publishedAt'), description: <RelativeTime at={version.at} /> },
          { term: t('page.contentHash'), description: <Digest value={version.contentHash} /> },
        ]}
      />
      <Section title={t('version.document')}>
        <AgentFacts document={version.document} />
      </Section>
    </PageFrame>
  );
}
