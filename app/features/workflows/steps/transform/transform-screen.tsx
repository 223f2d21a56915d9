import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import type { TransformStep } from '#app/domain/workflows/steps/transform-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';
import { readTransformStep, transformFormSchema } from '#app/features/workflows/steps/transform/transform-schema.ts';

function TransformStepForm({ step, revision, lastResult }: StepFormProps<TransformStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(transformFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), expression: step.expression },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <ExpressionField field={fields.expression} label={t('step.expression')} hint={t('step.expressionHint')} rows={6} use="always" />
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const transformScreen = stepScreen({
  schema: transformFormSchema,
  Form: TransformStepForm,
  read: readTransformStep,
  followsTarget: false,
});
