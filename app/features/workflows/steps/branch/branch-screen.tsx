import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import type { BranchStep } from '#app/domain/workflows/steps/step.ts';
import { branchFormSchema, readBranchStep } from '#app/features/workflows/steps/branch/branch-schema.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function BranchStepForm({ step, revision, lastResult }: StepFormProps<BranchStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(branchFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      mode: step.mode,
      branches: [...step.branches.map(({ label, when }) => ({ label, when, was: label })), { label: '', when: '', was: '' }],
    },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <RadioGroupField
        field={fields.mode}
        label={t('step.mode')}
        options={[
          { value: 'choose', label: t('step.modeChoose'), hint: t('step.modeChooseHint') },
          { value: 'parallel', label: t('step.modeParallel'), hint: t('step.modeParallelHint') },
        ]}
      />
      <Section title={t('step.branchesTitle')} description={t('step.branchesHint')}>
        <div className="grid gap-4">
          {fields.branches.getFieldList().map((branch) => {
            const parts = branch.getFieldset();
            return (
              <div key={branch.key} className="grid gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
                <input type="hidden" name={parts.was.name} value={parts.was.defaultValue} />
                <TextField field={parts.label} label={t('step.branchLabel')} code />
                <ExpressionField field={parts.when} label={t('step.branchWhen')} use="always" />
              </div>
            );
          })}
        </div>
      </Section>
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const branchScreen = stepScreen({ schema: branchFormSchema, Form: BranchStepForm, read: readBranchStep, followsTarget: false });
