import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { REPEAT_MAX_ROUNDS } from '#app/domain/workflows/steps/repeat-step.ts';
import type { RepeatStep } from '#app/domain/workflows/steps/step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { readRepeatStep, repeatFormSchema } from '#app/features/workflows/steps/repeat/repeat-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function RepeatStepForm({ step, revision, lastResult }: StepFormProps<RepeatStep>) {
  const { t } = useTranslation('workflows');
  const { until, rounds, pauseSeconds, atLimit } = step;
  const { form, fields } = useAppForm(repeatFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), until, rounds, pauseSeconds, atLimit },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <ExpressionField
        field={fields.until}
        label={t('step.until')}
        hint={t('step.untilHint', { example: '=steps.check.status = "done"' })}
        rows={2}
        use="always"
      />
      <NumberField field={fields.rounds} label={t('step.rounds')} hint={t('step.roundsHint', { limit: REPEAT_MAX_ROUNDS })} />
      <NumberField field={fields.pauseSeconds} label={t('step.roundPause')} unit={t('step.seconds')} />
      <RadioGroupField
        field={fields.atLimit}
        label={t('step.atLimit')}
        options={[
          { value: 'fail', label: t('step.atLimitFail') },
          { value: 'continue', label: t('step.atLimitContinue'), hint: t('step.atLimitContinueHint') },
        ]}
      />
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const repeatScreen = stepScreen({ schema: repeatFormSchema, Form: RepeatStepForm, read: readRepeatStep, followsTarget: false });
