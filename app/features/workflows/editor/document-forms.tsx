import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { documentJsonSchema, inputFieldsSchema, settingsSchema } from '#app/features/workflows/editor/document-forms-schema.ts';
import { IssueList } from '#app/features/workflows/editor/issue-list.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { FieldRows, fieldRowLabels } from '#app/features/workflows/steps/form/field-row.tsx';
import { fieldRowsOf } from '#app/features/workflows/steps/form/field-rows.ts';

type Props = { draft: WorkflowDraft; lastResult: FormResult | undefined };

/** The fields of the run's input. */
export function InputFieldsForm({ draft, lastResult }: Props) {
  const { t } = useTranslation('workflows');
  const { t: tInputs } = useTranslation('inputs');
  const { form, fields } = useAppForm(inputFieldsSchema, {
    lastResult,
    defaultValue: {
      revision: draft.revision,
      fields: fieldRowsOf(draft.document.input),
    },
  });
  return (
    <AppForm form={form} rows={lastResult ?? null} labels={fieldRowLabels(Object.keys(form.fieldErrors), t, tInputs)}>
      <RevisionInput revision={draft.revision} of={draft.document.input} />
      <FieldRows field={fields.fields} label={t('input.fields')} within="input" />
      <SubmitButton busyLabel={t('step.saving')}>{t('input.save')}</SubmitButton>
    </AppForm>
  );
}

export function SettingsForm({ draft, issues, lastResult }: Props & { issues: readonly WorkflowIssue[] }) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(settingsSchema, {
    lastResult,
    defaultValue: {
      revision: draft.revision,
      name: draft.name,
      description: draft.description,
      subject: draft.document.subject ?? '',
      output: draft.document.output,
      manualMinutes: draft.document.manualMinutes,
      runsAtOnce: draft.runsAtOnce === null ? '' : String(draft.runsAtOnce),
    },
  });
  return (
    <AppForm form={form}>
      <RevisionInput
        revision={draft.revision}
        of={[draft.name, draft.description, draft.document.subject, draft.document.output, draft.document.manualMinutes, draft.runsAtOnce]}
      />
      <TextField field={fields.name} label={t('columns.name')} />
      <TextAreaField field={fields.description} label={t('columns.description')} optional />
      <ExpressionField
        field={fields.subject}
        label={t('settings.subject')}
        hint={t('settings.subjectHint', { example: '{{ input.payee }}' })}
        use="template"
        optional
      />
      <IssueList issues={issues.filter(({ field }) => field === 'subject')} />
      <ExpressionField field={fields.output} label={t('settings.output')} hint={t('settings.outputHint')} rows={3} use="always" optional />
      <IssueList issues={issues.filter(({ field }) => field === 'output')} />
      <NumberField
        field={fields.manualMinutes}
        label={t('settings.manualMinutes')}
        hint={t('settings.manualMinutesHint')}
        unit={t('settings.minutes')}
      />
      <NumberField
        field={fields.runsAtOnce}
        label={t('settings.runsAtOnce')}
        hint={t('settings.runsAtOnceHint')}
        unit={t('settings.runs')}
        optional
      />
      <SubmitButton busyLabel={t('step.saving')}>{t('settings.save')}</SubmitButton>
    </AppForm>
  );
}

/** The whole document, for who would rather write or paste it. */
export function DocumentJsonForm({ draft, lastResult, issues }: Props & { issues: readonly WorkflowIssue[] }) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(documentJsonSchema, {
    lastResult,
    defaultValue: { revision: draft.revision, document: JSON.stringify(draft.document, null, 2) },
  });
  return (
    <AppForm form={form}>
      <RevisionInput revision={draft.revision} of={draft.document} />
      <IssueList issues={issues} />
      <TextAreaField field={fields.document} label={t('json.document')} hint={t('json.hint')} rows={28} code />
      <SubmitButton busyLabel={t('step.saving')}>{t('json.save')}</SubmitButton>
    </AppForm>
  );
}
