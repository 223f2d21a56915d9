import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import type { ReadDocumentStep } from '#app/domain/workflows/steps/read-document-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { readDocumentFormSchema, readReadDocumentStep } from '#app/features/workflows/steps/read-document/read-document-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function ReadDocumentStepForm({ step, revision, lastResult }: StepFormProps<ReadDocumentStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(readDocumentFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), file: step.file },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <ExpressionField
        field={fields.file}
        label={t('step.readFile')}
        hint={t('step.readFileHint', { expression: '=input.invoice' })}
        rows={2}
        use="always"
      />
      <p className="max-w-measure text-sm text-muted">{t('step.readFileKinds')}</p>
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const readDocumentScreen = stepScreen({
  schema: readDocumentFormSchema,
  Form: ReadDocumentStepForm,
  read: readReadDocumentStep,
  followsTarget: false,
});
