import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import type { TryStep } from '#app/domain/workflows/steps/step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';
import { readTryStep, tryFormSchema } from '#app/features/workflows/steps/try/try-schema.ts';

function TryStepForm({ step, revision, lastResult }: StepFormProps<TryStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(tryFormSchema, { lastResult, defaultValue: { revision, ...commonOf(step) } });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <p className="max-w-measure text-muted">{t('step.tryHint', { variables: 'error.key, error.values, error.step' })}</p>
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const tryScreen = stepScreen({ schema: tryFormSchema, Form: TryStepForm, read: readTryStep, followsTarget: false });
