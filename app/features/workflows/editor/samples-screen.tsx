import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { FieldValue } from '#app/components/value/field-value.tsx';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import type { WorkflowDraft, WorkflowSample } from '#app/domain/workflows/workflow.ts';
import { sampleSchema } from '#app/features/workflows/editor/document-forms-schema.ts';
import type { LoadedSamples } from '#app/features/workflows/editor/load-samples.server.ts';

/** Characters of a value that are shown. */
const SHOWN = 160;

/** The named inputs that a workflow keeps, for whoever starts it. */
export function SamplesScreen({ draft, samples, offered, lastResult }: LoadedSamples & { lastResult: FormResult | undefined }) {
  const { t } = useTranslation('workflows');
  const named = useNamed();
  return (
    <PageFrame
      title={t('samples.title')}
      description={t('samples.description')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/workflows') },
        { label: draft.name, to: href('/dashboard/workflows/:workflow', { workflow: draft.id }) },
        { label: t('editor.crumb'), to: href('/dashboard/workflows/:workflow/edit', { workflow: draft.id }) },
      ]}
    >
      {offered !== null && (
        <Section title={t('samples.keep')} description={t('samples.keepHint')}>
          <KeepForm draft={draft} offered={offered} lastResult={lastResult} />
        </Section>
      )}
      <Section title={t('samples.kept')}>
        {samples.length === 0 ? (
          <EmptyState title={t('samples.none')} description={t('samples.noneHint')} />
        ) : (
          <ul aria-label={t('samples.kept')} className="grid gap-4">
            {samples.map(({ name, input }) => (
              <li key={name}>
                <Card className="grid gap-3">
                  <div className="flex flex-wrap items-center justify-between gap-3">
                    <h3 className="min-w-0 font-semibold wrap-anywhere">
                      <bdi>{name}</bdi>
                    </h3>
                    <CommandForm hidden={{ intent: 'remove', revision: String(draft.revision), name }}>
                      <Button size="small" aria-label={named(t('samples.remove'), name)}>
                        {t('samples.remove')}
                      </Button>
                    </CommandForm>
                  </div>
                  <Values input={input} fields={draft.document.input} />
                </Card>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </PageFrame>
  );
}

function KeepForm({
  draft,
  offered,
  lastResult,
}: {
  draft: WorkflowDraft;
  offered: NonNullable<LoadedSamples['offered']>;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(sampleSchema, { lastResult, defaultValue: { revision: draft.revision, run: offered.run } });
  return (
    <AppForm form={form}>
      <input type="hidden" name={fields.revision.name} value={draft.revision} />
      <input type="hidden" name={fields.run.name} value={offered.run} />
      <Values input={offered.input} fields={draft.document.input} />
      <TextField field={fields.name} label={t('columns.name')} hint={t('samples.nameHint')} autoComplete="off" />
      <SubmitButton busyLabel={t('step.saving')}>{t('samples.save')}</SubmitButton>
    </AppForm>
  );
}

function Values({ input, fields }: { input: WorkflowSample['input']; fields: readonly InputField[] }) {
  return (
    <DescriptionList
      items={Object.entries(input).map(([name, value]) => ({
        term: fields.find((field) => field.name === name)?.title ?? name,
        description: <FieldValue field={fields.find((field) => field.name === name) ?? null} name={name} value={value} most={SHOWN} />,
      }))}
    />
  );
}
