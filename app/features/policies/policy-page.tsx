import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { AskToEnforce } from '#app/features/policies/ask-to-enforce.tsx';
import type { LoadedPolicy } from '#app/features/policies/load-policy.server.ts';
import { PolicyText } from '#app/features/policies/policy-text.tsx';
import { DecisionTable } from '#app/features/policies/replay/decision-table.tsx';
import { MonitoredSection } from '#app/features/policies/replay/monitored-section.tsx';
import { RuleCard } from '#app/features/policies/rules/rule-card.tsx';

export function PolicyPage({ policy, lastResult }: { policy: LoadedPolicy; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const authorOf = (author: string | null) => (author === null ? t('byQuorate') : author === '' ? t('someone') : author);
  const mayAsk = policy.mayAuthor && policy.asks && policy.publishedVersionId !== null;
  const published = policy.versions.find((version) => version.id === policy.publishedVersionId);
  return (
    <PageFrame
      title={policy.name}
      description={policy.description}
      breadcrumbs={[{ label: t('list.title'), to: href('/dashboard/policies') }]}
      actions={policy.mayAuthor ? <PolicyActions policy={policy} /> : undefined}
    >
      {policy.draftWaits && policy.mayAuthor ? (
        <div className="mb-6">
          <Notice kind="info" title={t('detail.draftWaits')} />
        </div>
      ) : null}
      {policy.waiting === null ? null : (
        <div className="mb-6">
          <Notice kind="attention" title={t('detail.changeWaits')}>
            <Link className="text-link py-0.5" to={href('/dashboard/changes/:change', { change: policy.waiting.id })}>
              {t('detail.openChange')}
            </Link>
          </Notice>
        </div>
      )}
      <DescriptionList
        items={[
          { term: t('detail.status'), description: <StatusWord status={published === undefined ? 'draft' : policy.status} /> },
          {
            term: t('detail.version'),
            description: published === undefined ? t('detail.draftOnly') : t('detail.versionNumber', { number: published.number }),
          },
          ...(published === undefined
            ? []
            : [
                { term: t('detail.hash'), description: <Digest value={published.hash} /> },
                { term: t('detail.author'), description: authorOf(published.author) },
                { term: t('detail.published'), description: <RelativeTime at={published.at} /> },
              ]),
        ]}
      />
      {policy.rules.length === 0 ? null : (
        <Section title={t('detail.rules')} description={t('detail.rulesText')}>
          <div className="grid gap-4 lg:grid-cols-2">
            {policy.rules.map(({ form, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same text
              <RuleCard key={index} form={form} text={text} workflows={policy.workflows} />
            ))}
          </div>
        </Section>
      )}
      {policy.text === null ? null : (
        <Section title={policy.status === 'active' ? t('detail.text') : t('detail.textPaused')}>
          <PolicyText text={policy.text} label={t('detail.textLabel')} />
        </Section>
      )}
      <MonitoredSection monitored={policy.monitored} monitors={policy.rules.some(({ form }) => form?.monitors === true)} />
      <Section title={t('detail.determined')} description={t('detail.determinedText')}>
        <DecisionTable
          caption={t('decisions.caption')}
          rows={policy.decisions}
          empty={<EmptyState title={t('decisions.empty')} description={t('decisions.emptyText')} />}
        />
      </Section>
      {policy.versions.length === 0 ? null : (
        <Section title={t('detail.versions')} description={t('detail.versionsText')}>
          <DataTable
            caption={t('detail.versionsCaption')}
            rows={policy.versions}
            rowKey={(version) => version.id}
            empty={null}
            columns={[
              {
                key: 'number',
                header: t('detail.version'),
                cell: (version) => (
                  <Link
                    className="text-link"
                    to={href('/dashboard/policies/:policy/versions/:number', { policy: policy.id, number: String(version.number) })}
                  >
                    {t('detail.versionNumber', { number: String(version.number) })}
                  </Link>
                ),
              },
              { key: 'hash', header: t('detail.hash'), cell: (version) => <Digest value={version.hash} /> },
              { key: 'author', header: t('detail.author'), cell: (version) => authorOf(version.author) },
              { key: 'at', header: t('detail.published'), cell: (version) => <RelativeTime at={version.at} /> },
            ]}
          />
        </Section>
      )}
      {/* Typed values stay, even where a change has come meanwhile. */}
      {(mayAsk && policy.waiting === null) || lastResult !== undefined ? (
        <AskToEnforce active={policy.status === 'active'} lastResult={lastResult} />
      ) : null}
    </PageFrame>
  );
}

function PolicyActions({ policy }: { policy: LoadedPolicy }) {
  const { t } = useTranslation('policies');
  const active = policy.status === 'active';
  return (
    <>
      <ButtonLink to={href('/dashboard/policies/:policy/replay', { policy: policy.id })}>{t('replay.open')}</ButtonLink>
      <ButtonLink variant="secondary" to={href('/dashboard/policies/:policy/edit', { policy: policy.id })}>
        {t('detail.edit')}
      </ButtonLink>
      {policy.publishedVersionId === null || policy.asks ? null : (
        <Form method="post">
          <WorkspaceInput />
          <SubmitButton
            variant="secondary"
            name="intent"
            value={active ? 'pause' : 'activate'}
            busyLabel={active ? t('detail.pausing') : t('detail.activating')}
          >
            {active ? t('detail.pause') : t('detail.activate')}
          </SubmitButton>
        </Form>
      )}
    </>
  );
}
