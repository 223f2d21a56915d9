import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { AgentStep } from '#app/domain/workflows/steps/agent-step.ts';
import { STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import type { ToolStep } from '#app/domain/workflows/steps/tool-step.ts';
import { callFormSchema } from '#app/features/workflows/steps/call/call-schema.ts';
import { UnknownOutcomeField } from '#app/features/workflows/steps/call/unknown-outcome-field.tsx';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { mappingFieldsOf } from '#app/features/workflows/steps/form/mapping-fields.ts';
import { MappingSection, mappingLabels } from '#app/features/workflows/steps/form/mapping-section.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import type { StepFormProps } from '#app/features/workflows/steps/step-screen.ts';

/** The form of a step that calls what a schema describes: a tool's or an agent's. */
export function CallStepForm({
  step,
  revision,
  catalogue,
  lastResult,
  targetLabel,
}: StepFormProps<ToolStep | AgentStep> & { targetLabel: string }) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  const offered = catalogue.filter((item) => STEP_RULES[step.kind].protocols.includes(item.protocol));
  const chosen = offered.find((item) => item.connection === step.connection && item.capability === step.capability);
  const mappings = mappingFieldsOf(chosen?.inputSchema ?? null, step.input);
  const { form, fields } = useAppForm(callFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      target: step.capability === null ? '' : `${step.connection}/${step.capability}`,
      task: step.task,
      unknownOutcome: step.unknownOutcome ?? 'fail',
      input: mappings.map(({ name, value }) => ({ name, value })),
    },
  });
  const pairs = fields.input.getFieldList();
  return (
    <AppForm form={form} labels={{ ...useCommonLabels(), ...mappingLabels(pairs, mappings) }}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <SelectField
        field={fields.target}
        label={targetLabel}
        hint={t('step.targetHint')}
        placeholder={t('step.routed')}
        options={offered.map((item) => ({
          value: `${item.connection}/${item.capability}`,
          label: revealedText(
            `${item.title} · ${item.protocol === 'agent' ? flow.t('ownAgent') : item.connectionName}${item.approved ? '' : ` (${t('step.notApproved')})`}`,
          ),
        }))}
      />
      <TextField field={fields.task} label={t('step.task')} hint={t('step.taskHint')} optional />
      <MappingSection pairs={pairs} mappings={mappings} title={t('step.inputTitle')} />
      <CommonFields fields={fields}>
        <UnknownOutcomeField field={fields.unknownOutcome} repeatable={chosen?.repeatable ?? false} />
      </CommonFields>
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}
