import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { TextDifference } from '#app/components/value/text-difference.tsx';
import { ExampleTable } from '#app/features/policies/examples/example-table.tsx';
import type { LoadedPolicyVersion } from '#app/features/policies/load-version.server.ts';
import { PolicyText } from '#app/features/policies/policy-text.tsx';

/** One version of a policy as frozen, and its changes. */
export function PolicyVersionPage({ version }: { version: LoadedPolicyVersion }) {
  const { t } = useTranslation('policies');
  const { policy, number, author, against, others, difference, revision } = version;
  const changed = difference.some(({ change }) => change !== 'same');
  return (
    <PageFrame
      title={t('version.title', { name: policy.name, number })}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies') },
        { label: policy.name, to: href('/dashboard/policies/:policy', { policy: policy.id }) },
      ]}
      actions={
        revision === null ? undefined : (
          <CommandForm hidden={{ revision: String(revision) }}>
            <Button>{t('version.useAsDraft')}</Button>
          </CommandForm>
        )
      }
    >
      <DescriptionList
        items={[
          { term: t('version.state'), description: version.inForce ? t('version.inForce') : t('version.notInForce') },
          { term: t('detail.author'), description: <bdi>{author === null ? t('byQuorate') : author === '' ? t('someone') : author}</bdi> },
          { term: t('detail.published'), description: <RelativeTime at={version.at} /> },
          { term: t('detail.hash'), description: <Digest value={version.hash} /> },
        ]}
      />
      <Section title={t('version.difference')}>
        {others.length === 0 ? null : (
          <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
            <label className="grid gap-1">
              <span className="text-sm text-muted">{t('version.against')}</span>
              <select name="against" defaultValue={String(against ?? '')} className={`${CONTROL} min-h-11`}>
                {others.map((other) => (
                  <option key={other} value={other}>
                    {t('detail.versionNumber', { number: other })}
                  </option>
                ))}
              </select>
            </label>
            <Button variant="secondary">{t('version.compare')}</Button>
          </Form>
        )}
        {changed ? (
          <TextDifference
            lines={difference}
            label={t('version.differenceLabel')}
            words={{ added: t('version.added'), removed: t('version.removed') }}
          />
        ) : (
          <EmptyState title={against === null ? t('version.onlyOne') : t('version.same')} />
        )}
      </Section>
      {version.examples.length === 0 ? null : (
        <Section title={t('examples.title')} description={t('examples.text')}>
          <ExampleTable results={version.examples} />
        </Section>
      )}
      <Section title={t('version.text')}>
        <PolicyText text={version.text} label={t('detail.textLabel')} />
      </Section>
    </PageFrame>
  );
}
