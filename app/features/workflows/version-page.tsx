import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ChangeTable, ComparedFlow } from '#app/features/workflows/change-list.tsx';
import type { VersionDetail } from '#app/features/workflows/load-version.server.ts';

/** One version as frozen, and its changes. */
export function VersionPage({ version, revision }: { version: VersionDetail; revision: number | null }) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  return (
    <PageFrame
      title={t('version.title', { name: version.workflow.name, number: version.number })}
      wide
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/workflows') },
        { label: version.workflow.name, to: href('/dashboard/workflows/:workflow', { workflow: version.workflow.id }) },
      ]}
      actions={
        <>
          <ButtonLink
            to={`${href('/dashboard/workflows/:workflow/file', { workflow: version.workflow.id })}?version=${version.number}`}
            reloadDocument
          >
            {t('version.download')}
          </ButtonLink>
          {revision !== null && (
            <CommandForm hidden={{ revision: String(revision) }}>
              <Button>{t('version.useAsDraft')}</Button>
            </CommandForm>
          )}
        </>
      }
    >
      <DescriptionList
        items={[
          { term: t('version.state'), description: version.inForce ? t('version.inForce') : t('version.earlier') },
          { term: t('detail.publishedBy'), description: <bdi>{version.author ?? t('detail.formerMember')}</bdi> },
          { term: t('detail.publishedAt'), description: <RelativeTime at={version.at} /> },
          { term: t('detail.contentHash'), description: <Digest value={version.contentHash} /> },
        ]}
      />
      <Section title={t('version.difference')}>
        {version.others.length > 0 && (
          <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
            <FilterChoice
              id="against"
              name="against"
              label={t('version.against')}
              value={String(version.against ?? '')}
              options={version.others.map((number) => ({
                value: String(number),
                label: t('detail.versionNumber', { number: format.number(number) }),
              }))}
            />
            <Button>{t('version.compare')}</Button>
          </Form>
        )}
        <ChangeTable changes={version.changes} empty={version.against === null ? t('version.onlyOne') : t('version.same')} />
      </Section>
      <Section title={t('version.steps')}>
        <ComparedFlow
          name={version.workflow.name}
          steps={version.document.steps}
          before={
            version.against === null
              ? null
              : {
                  steps: version.stepsBefore,
                  changes: version.changes,
                  label: t('detail.versionNumber', { number: format.number(version.against) }),
                }
          }
        />
      </Section>
    </PageFrame>
  );
}
