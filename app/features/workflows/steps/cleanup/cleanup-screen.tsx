import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import type { CleanupStep } from '#app/domain/workflows/steps/step.ts';
import { cleanupFormSchema, readCleanupStep } from '#app/features/workflows/steps/cleanup/cleanup-schema.ts';
import { useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

/** Of what all steps share, only the name and the key mean something here. */
function CleanupStepForm({ step, revision, lastResult }: StepFormProps<CleanupStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(cleanupFormSchema, { lastResult, defaultValue: { revision, ...commonOf(step) } });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      {[fields.revision, fields.timeoutSeconds, fields.retries, fields.backoffSeconds, fields.onError].map(({ name, defaultValue }) => (
        <input key={name} type="hidden" name={name} value={defaultValue} />
      ))}
      <TextField field={fields.name} label={t('step.name')} />
      <p className="max-w-measure text-muted">{t('step.cleanupHint', { variables: 'error.key, error.values, error.step' })}</p>
      <TextField field={fields.id} label={t('step.id')} hint={t('step.idHint')} code />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const cleanupScreen = stepScreen({
  schema: cleanupFormSchema,
  Form: CleanupStepForm,
  read: readCleanupStep,
  followsTarget: false,
});
