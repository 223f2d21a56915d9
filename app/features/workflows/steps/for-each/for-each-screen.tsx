import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { LOOP_MAX_AT_ONCE, LOOP_MAX_ITEMS } from '#app/domain/workflows/steps/for-each-step.ts';
import type { ForEachStep } from '#app/domain/workflows/steps/step.ts';
import { forEachFormSchema, readForEachStep } from '#app/features/workflows/steps/for-each/for-each-schema.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function ForEachStepForm({ step, revision, lastResult }: StepFormProps<ForEachStep>) {
  const { t } = useTranslation('workflows');
  const { items, atOnce, onItemError, collect } = step;
  const { form, fields } = useAppForm(forEachFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), items, atOnce, onItemError, collect },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <ExpressionField
        field={fields.items}
        label={t('step.items')}
        hint={t('step.itemsHint', { limit: LOOP_MAX_ITEMS, example: '=[steps.screen.matches[severity = "high"]]' })}
        rows={3}
        use="always"
      />
      <NumberField field={fields.atOnce} label={t('step.atOnce')} hint={t('step.atOnceHint', { limit: LOOP_MAX_AT_ONCE })} />
      <RadioGroupField
        field={fields.onItemError}
        label={t('step.onItemError')}
        options={[
          { value: 'stop', label: t('step.onItemErrorStop'), hint: t('step.onItemErrorStopHint') },
          { value: 'continue', label: t('step.onItemErrorContinue'), hint: t('step.onItemErrorContinueHint') },
        ]}
      />
      <ExpressionField field={fields.collect} label={t('step.collect')} hint={t('step.collectHint')} rows={3} use="always" />
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const forEachScreen = stepScreen({
  schema: forEachFormSchema,
  Form: ForEachStepForm,
  read: readForEachStep,
  followsTarget: false,
});
