import { useTranslation } from 'react-i18next';
import { templateWords } from '#app/components/drawing/template-words.ts';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { createWorkflowSchema } from '#app/features/workflows/list/create-workflow-schema.ts';

export function CreateWorkflowForm({ lastResult, template }: { lastResult: FormResult | undefined; template: string }) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(createWorkflowSchema, { lastResult, defaultValue: { template } });
  return (
    <AppForm form={form}>
      <TextField field={fields.name} label={t('columns.name')} autoComplete="off" />
      <TextAreaField field={fields.description} label={t('columns.description')} hint={t('create.descriptionHint')} />
      <SelectField
        field={fields.template}
        label={t('create.template')}
        placeholder={t('create.noTemplate')}
        options={Object.entries(templateWords(t)).map(([value, { title }]) => ({ value, label: title }))}
      />
      <SubmitButton busyLabel={t('create.busy')}>{t('create.submit')}</SubmitButton>
    </AppForm>
  );
}
