import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { ASKED_MEANINGS, RISKS } from '#app/contracts/statuses.ts';
import type { ApprovalStep } from '#app/domain/workflows/steps/approval-step.ts';
import { approvalFormSchema, readApprovalStep } from '#app/features/workflows/steps/approval/approval-schema.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { MappingRow } from '#app/features/workflows/steps/form/mapping-row.tsx';
import { SPARE_ROWS } from '#app/features/workflows/steps/form/step-options.ts';
import { commonOf, rowsOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function ApprovalStepForm({ step, revision, lastResult }: StepFormProps<ApprovalStep>) {
  const { t } = useTranslation('workflows');
  const { t: common } = useTranslation('common');
  const { form, fields } = useAppForm(approvalFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      question: step.question,
      sentence: step.sentence ?? '',
      show: rowsOf(step.show, SPARE_ROWS),
      risk: step.risk,
      quorum: step.quorum,
      dueHours: step.dueHours,
      meaning: step.meaning ?? '',
    },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <TextAreaField field={fields.question} label={t('step.question')} hint={t('step.questionHint')} rows={2} />
      <ExpressionField
        field={fields.sentence}
        label={t('step.sentence')}
        hint={t('step.sentenceHint', { example: '{{ input.payee }}' })}
        use="template"
        optional
      />
      <Section title={t('step.showTitle')} description={t('step.showHint')}>
        <div className="grid gap-4">
          {fields.show.getFieldList().map((pair) => {
            const parts = pair.getFieldset();
            return <MappingRow key={pair.key} name={parts.name} value={parts.value} />;
          })}
        </div>
      </Section>
      <RadioGroupField
        field={fields.risk}
        label={t('step.risk')}
        hint={t('step.riskHint')}
        options={RISKS.map((risk) => ({ value: risk, label: common(`status.${risk}`) }))}
      />
      <NumberField field={fields.quorum} label={t('step.quorum')} hint={t('step.quorumHint')} />
      <NumberField field={fields.dueHours} label={t('step.dueHours')} unit={t('step.hours')} />
      <SelectField
        field={fields.meaning}
        label={t('step.meaning')}
        hint={t('step.meaningHint')}
        placeholder={t('step.noMeaning')}
        options={ASKED_MEANINGS.map((meaning) => ({ value: meaning, label: common(`meaning.${meaning}`) }))}
      />
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const approvalScreen = stepScreen({
  schema: approvalFormSchema,
  Form: ApprovalStepForm,
  read: readApprovalStep,
  followsTarget: false,
});
