import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { AUTHORED_WORKFLOWS, type SubWorkflowStep } from '#app/domain/workflows/steps/sub-workflow-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { mappingFieldsOf } from '#app/features/workflows/steps/form/mapping-fields.ts';
import { MappingSection, mappingLabels } from '#app/features/workflows/steps/form/mapping-section.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';
import { readSubWorkflowStep, subWorkflowFormSchema } from '#app/features/workflows/steps/sub-workflow/sub-workflow-schema.ts';

function SubWorkflowStepForm({ step, revision, catalogue, lastResult }: StepFormProps<SubWorkflowStep>) {
  const { t } = useTranslation('workflows');
  const offered = catalogue.filter(({ connection }) => connection === AUTHORED_WORKFLOWS);
  const chosen = offered.find(({ capability }) => capability === step.workflow);
  const mappings = mappingFieldsOf(chosen?.inputSchema ?? null, step.input);
  const { form, fields } = useAppForm(subWorkflowFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      workflow: step.workflow ?? '',
      version: step.version ?? undefined,
      input: mappings.map(({ name, value }) => ({ name, value })),
    },
  });
  const pairs = fields.input.getFieldList();
  return (
    <AppForm form={form} labels={{ ...useCommonLabels(), ...mappingLabels(pairs, mappings) }}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      {offered.length === 0 && (
        <p className="max-w-measure">
          {t('step.subWorkflowNone')}{' '}
          <Link to={href('/dashboard/workflows')} className="text-link">
            {t('step.subWorkflowList')}
          </Link>
        </p>
      )}
      <SelectField
        field={fields.workflow}
        label={t('step.subWorkflow')}
        hint={t('step.subWorkflowHint')}
        placeholder={t('step.subWorkflowChoose')}
        options={offered.map(({ capability, title }) => ({ value: capability, label: revealedText(title) }))}
      />
      <NumberField field={fields.version} label={t('step.subWorkflowVersion')} hint={t('step.subWorkflowVersionHint')} optional />
      {chosen !== undefined && <MappingSection pairs={pairs} mappings={mappings} title={t('step.subWorkflowInput')} />}
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const subWorkflowScreen = stepScreen({
  schema: subWorkflowFormSchema,
  Form: SubWorkflowStepForm,
  read: readSubWorkflowStep,
  followsTarget: true,
});
