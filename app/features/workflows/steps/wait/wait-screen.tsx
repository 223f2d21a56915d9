import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { spanOf, WAIT_UNITS, type WaitUnit } from '#app/domain/workflows/steps/wait-span.ts';
import type { WaitStep } from '#app/domain/workflows/steps/wait-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';
import { readWaitStep, waitFormSchema } from '#app/features/workflows/steps/wait/wait-schema.ts';

function WaitStepForm({ step, revision, lastResult }: StepFormProps<WaitStep>) {
  const { t } = useTranslation('workflows');
  const { mode, until, zone } = step;
  const { form, fields } = useAppForm(waitFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), mode, ...spanOf(step.seconds), until, zone },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()} className="group/wait grid gap-6">
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <RadioGroupField
        field={fields.mode}
        label={t('step.waitMode')}
        options={[
          { value: 'for', label: t('step.waitFor'), hint: t('step.waitForHint') },
          { value: 'until', label: t('step.waitUntil'), hint: t('step.waitUntilHint') },
          {
            value: 'event',
            label: t('step.waitEvent'),
            hint: t('step.waitEventHint', { address: `=run.callbacks.${step.id}` }),
          },
        ]}
      />
      {/* Fields of another way to wait are hidden by the choice itself, so that it needs no scripts; they are sent and kept all the same. */}
      <div className="grid items-start gap-6 sm:grid-cols-2 group-has-[input[value=until]:checked]/wait:hidden">
        <NumberField field={fields.amount} label={t('step.waitAmount')} hint={t('step.waitAmountHint')} />
        <SelectField
          field={fields.unit}
          label={t('step.waitUnit')}
          options={(Object.keys(WAIT_UNITS) as WaitUnit[]).map((unit) => ({ value: unit, label: t(`step.waitUnits.${unit}`) }))}
        />
      </div>
      <div className="grid gap-6 group-has-[input[value=event]:checked]/wait:hidden group-has-[input[value=for]:checked]/wait:hidden">
        <ExpressionField
          field={fields.until}
          label={t('step.waitDate')}
          hint={t('step.waitDateHint', { date: '2027-01-15T09:00', expression: '=input.start' })}
          optional
        />
        <TextField field={fields.zone} label={t('step.waitZone')} hint={t('step.waitZoneHint')} code />
      </div>
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const waitScreen = stepScreen({ schema: waitFormSchema, Form: WaitStepForm, read: readWaitStep, followsTarget: false });
