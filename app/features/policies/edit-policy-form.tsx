import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ExamplePanel } from '#app/features/policies/examples/example-panel.tsx';
import type { LoadedPolicyEditor } from '#app/features/policies/load-policy-editor.server.ts';
import { PolicyIssues } from '#app/features/policies/policy-issues.tsx';
import { editPolicySchema } from '#app/features/policies/policy-schema.ts';
import { PolicyText } from '#app/features/policies/policy-text.tsx';
import { RulePanel } from '#app/features/policies/rules/rule-panel.tsx';

const MIN_ROWS = 14;
const MAX_ROWS = 40;

export function EditPolicyForm({ policy, lastResult }: { policy: LoadedPolicyEditor; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const { id, name, shownName, description, text, revision, issues, schema, rules, workflows, results, notes, asks } = policy;
  const { form, fields } = useAppForm(editPolicySchema, { lastResult, defaultValue: { name, description, text } });
  return (
    <PageFrame
      title={t('edit.title', { name: shownName })}
      description={t('edit.description')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies') },
        { label: shownName, to: href('/dashboard/policies/:policy', { policy: id }) },
      ]}
    >
      <AppForm
        form={form}
        labels={{ name: t('create.name'), description: t('create.descriptionField'), text: t('edit.text'), reason: t('ask.publishReason') }}
        className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]"
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          <RevisionInput revision={revision} of={{ name, description, text }} />
          <TextField field={fields.name} label={t('create.name')} />
          <TextAreaField
            field={fields.description}
            label={t('create.descriptionField')}
            hint={t('create.descriptionHint')}
            rows={2}
            optional
          />
          <TextAreaField
            field={fields.text}
            label={t('edit.text')}
            hint={t('edit.textHint')}
            rows={Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split('\n').length + 2))}
            code
          />
          {/* Of the saved draft: beside a text that was just refused it would be about another one. */}
          {lastResult !== undefined || rules?.length === 0 ? null : issues.length === 0 ? (
            <Notice kind="ok" title={t('edit.valid')} />
          ) : (
            <PolicyIssues issues={issues} text={text} />
          )}
          {lastResult !== undefined || notes.length === 0 ? null : <PolicyIssues issues={notes} text={text} notes />}
          {asks ? <TextAreaField field={fields.reason} label={t('ask.publishReason')} hint={t('ask.publishHint')} rows={2} /> : null}
          <div className="flex flex-wrap gap-3">
            <SubmitButton variant="secondary" name="intent" value="save" busyLabel={t('edit.saving')}>
              {t('edit.save')}
            </SubmitButton>
            <SubmitButton name="intent" value="publish" busyLabel={t('edit.publishing')}>
              {asks ? t('ask.publish') : t('edit.publish')}
            </SubmitButton>
          </div>
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-8">
          <RulePanel rules={rules} workflows={workflows} />
          <ExamplePanel results={results} />
        </div>
      </AppForm>
      <Section title={t('edit.schema')}>
        <PolicyText text={schema} label={t('edit.schemaLabel')} />
      </Section>
    </PageFrame>
  );
}
