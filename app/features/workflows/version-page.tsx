import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useLabel } from '#app/components/text/named.ts';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';
import { CHANGES, useFlowChanges } from '#app/features/workflows/change-words.ts';
import { FlowView } from '#app/features/workflows/flow-view.tsx';
import type { VersionDetail } from '#app/features/workflows/load-version.server.ts';

const CHANGE_ORDER = ['added', 'removed', 'changed', 'moved'] as const;

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
        <DataTable
          caption={t('version.caption')}
          rows={version.changes}
          rowKey={(change) => `${change.place}/${change.path}`}
          columns={[
            { key: 'place', header: t('version.place'), cell: (change) => <Place change={change} /> },
            {
              key: 'change',
              header: t('version.change'),
              cell: (change) => <Badge tone={CHANGES[change.change].tone}>{t(CHANGES[change.change].word)}</Badge>,
            },
            { key: 'fields', header: t('version.fields'), cell: (change) => <Fields change={change} /> },
          ]}
          empty={<EmptyState title={version.against === null ? t('version.onlyOne') : t('version.same')} />}
        />
      </Section>
      <Section title={t('version.steps')}>
        <VersionFlow version={version} />
      </Section>
    </PageFrame>
  );
}

/** The picture, with what it differs in from the version it is compared with. */
function VersionFlow({ version: { document, workflow, against, changes, stepsBefore } }: { version: VersionDetail }) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  const words = useFlowChanges(changes);
  const inSteps = changes.filter(({ place }) => place === 'step');
  if (against === null || inSteps.length === 0) return <FlowView steps={document.steps} name={workflow.name} />;
  const kinds = CHANGE_ORDER.map((change) => ({ change, count: inSteps.filter((step) => step.change === change).length }));
  return (
    <div className="grid gap-3">
      <dl className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        <div className="flex gap-2">
          <dt className="text-muted">{t('version.against')}</dt>
          <dd>{t('detail.versionNumber', { number: format.number(against) })}</dd>
        </div>
        {kinds
          .filter(({ count }) => count > 0)
          .map(({ change, count }) => (
            <div key={change} className="flex items-center gap-2">
              <dt>
                <Badge tone={CHANGES[change].tone}>{t(CHANGES[change].word)}</Badge>
              </dt>
              <dd className="tabular-nums">{format.number(count)}</dd>
            </div>
          ))}
      </dl>
      <FlowView steps={document.steps} name={workflow.name} compared={{ steps: stepsBefore, changes: words }} />
    </div>
  );
}

function Place({ change }: { change: WorkflowChange }) {
  const { t } = useTranslation('workflows');
  if (change.place === 'settings') return t('version.settings');
  return (
    <>
      <span className="block text-sm text-muted">{change.place === 'input' ? t('version.inputField') : t('version.step')}</span>
      <bdi className="font-semibold">{change.name}</bdi>
      <code className="block text-sm wrap-anywhere text-muted">{change.path}</code>
    </>
  );
}

function Fields({ change }: { change: WorkflowChange }) {
  const { t } = useTranslation('workflows');
  return (
    <ul className="grid gap-3">
      {change.fields.map(({ field, before, after }) => (
        <li key={field} className="grid gap-1">
          <code>{field}</code>
          <Value label={t('version.before')} text={before} />
          <Value label={t('version.after')} text={after} />
        </li>
      ))}
    </ul>
  );
}

function Value({ label, text }: { label: string; text: string }) {
  const colon = useLabel();
  const { t } = useTranslation('workflows');
  return (
    <p className="text-sm">
      <span className="text-muted">{colon(label)} </span>
      {text === '' ? (
        <span className="text-muted">{t('version.nothing')}</span>
      ) : (
        <code className="whitespace-pre-wrap wrap-anywhere">{text}</code>
      )}
    </p>
  );
}
