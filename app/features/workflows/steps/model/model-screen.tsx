import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { ModelStep } from '#app/domain/workflows/steps/model-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { modelFormSchema, readModelStep } from '#app/features/workflows/steps/model/model-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function ModelStepForm({ step, revision, catalogue, lastResult }: StepFormProps<ModelStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(modelFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      target: step.capability === null ? '' : `${step.connection}/${step.capability}`,
      prompt: step.input.prompt ?? '',
      system: step.input.system ?? '',
      maxTokens: step.maxTokens ?? '',
      temperature: step.temperature ?? '',
      schema: step.schema,
    },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <SelectField
        field={fields.target}
        label={t('step.model')}
        hint={t('step.modelHint')}
        placeholder={t('step.modelNone')}
        options={catalogue
          .filter((item) => item.protocol === 'model')
          .map((item) => ({
            value: `${item.connection}/${item.capability}`,
            label: revealedText(`${item.title} · ${item.connectionName}${item.approved ? '' : ` (${t('step.notApproved')})`}`),
          }))}
      />
      <ExpressionField field={fields.prompt} label={t('step.prompt')} hint={t('step.promptHint')} rows={6} />
      <ExpressionField field={fields.system} label={t('step.system')} hint={t('step.systemHint')} rows={3} optional />
      <NumberField field={fields.maxTokens} label={t('step.maxTokens')} hint={t('step.maxTokensHint')} optional />
      <NumberField field={fields.temperature} label={t('step.temperature')} hint={t('step.temperatureHint')} optional />
      <TextAreaField field={fields.schema} label={t('step.schema')} hint={t('step.schemaHint')} rows={6} code optional />
      <CommonFields fields={fields} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const modelScreen = stepScreen({ schema: modelFormSchema, Form: ModelStepForm, read: readModelStep, followsTarget: false });
