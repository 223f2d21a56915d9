import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { type HumanTaskStep, TASK_ASSIGNEES, TASK_LATE, TASK_MAX_FIELDS } from '#app/domain/workflows/steps/human-task-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { FieldRows, fieldRowLabels } from '#app/features/workflows/steps/form/field-row.tsx';
import { fieldRowsOf } from '#app/features/workflows/steps/form/field-rows.ts';
import { MappingRow } from '#app/features/workflows/steps/form/mapping-row.tsx';
import { SPARE_ROWS } from '#app/features/workflows/steps/form/step-options.ts';
import { commonOf, rowsOf } from '#app/features/workflows/steps/form/step-values.ts';
import { humanTaskFormSchema, readHumanTaskStep } from '#app/features/workflows/steps/human-task/human-task-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function HumanTaskStepForm({ step, revision, lastResult }: StepFormProps<HumanTaskStep>) {
  const { t } = useTranslation('workflows');
  const { t: tInputs } = useTranslation('inputs');
  const { form, fields } = useAppForm(humanTaskFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      question: step.question,
      to: step.to,
      member: step.member,
      fields: fieldRowsOf(step.fields),
      show: rowsOf(step.show, SPARE_ROWS),
      dueHours: step.dueHours,
      remindHours: step.remindHours,
      late: step.late,
    },
  });
  const rowLabels = fieldRowLabels(Object.keys(form.fieldErrors), t, tInputs);
  return (
    <AppForm form={form} rows={lastResult ?? null} labels={{ ...useCommonLabels(), ...rowLabels }}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <TextAreaField field={fields.question} label={t('step.taskQuestion')} rows={2} />
      <RadioGroupField
        field={fields.to}
        label={t('step.taskTo')}
        options={TASK_ASSIGNEES.map((value) => ({ value, label: t(`step.messageRecipients.${value}`) }))}
      />
      <ExpressionField field={fields.member} label={t('step.taskMember')} hint={t('step.taskMemberHint')} optional />
      <Section title={t('step.taskFields')} description={t('step.taskFieldsHint')}>
        <FieldRows field={fields.fields} label={t('input.fields')} most={TASK_MAX_FIELDS} within={`steps.${step.id}.answer`} />
      </Section>
      <Section title={t('step.taskShow')} description={t('step.showHint')}>
        <div className="grid gap-4">
          {fields.show.getFieldList().map((pair) => {
            const parts = pair.getFieldset();
            return <MappingRow key={pair.key} name={parts.name} value={parts.value} />;
          })}
        </div>
      </Section>
      <NumberField field={fields.dueHours} label={t('step.taskDueHours')} unit={t('step.hours')} />
      <NumberField field={fields.remindHours} label={t('step.taskRemindHours')} hint={t('step.taskRemindHint')} unit={t('step.hours')} />
      <RadioGroupField
        field={fields.late}
        label={t('step.taskLate')}
        options={TASK_LATE.map((value) => ({ value, label: t(`step.taskLateOptions.${value}`) }))}
      />
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const humanTaskScreen = stepScreen({
  schema: humanTaskFormSchema,
  Form: HumanTaskStepForm,
  read: readHumanTaskStep,
  followsTarget: false,
});
