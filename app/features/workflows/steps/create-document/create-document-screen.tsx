import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import type { CreateDocumentStep } from '#app/domain/workflows/steps/create-document-step.ts';
import { createDocumentFormSchema, readCreateDocumentStep } from '#app/features/workflows/steps/create-document/create-document-schema.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

/** The fields of one format alone are shown, also without scripts; those of the other keep their text. */
function CreateDocumentStepForm({ step, revision, lastResult }: StepFormProps<CreateDocumentStep>) {
  const { t } = useTranslation('workflows');
  const { format, fileName, rows, columns, template } = step;
  const { form, fields } = useAppForm(createDocumentFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), format, fileName, rows, columns, template },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <div className="group/format grid gap-6">
        <RadioGroupField
          field={fields.format}
          label={t('step.documentFormat')}
          options={[
            { value: 'csv', label: t('step.documentCsv'), hint: t('step.documentCsvHint') },
            { value: 'html', label: t('step.documentHtml'), hint: t('step.documentHtmlHint') },
            { value: 'docx', label: t('step.documentDocx'), hint: t('step.documentDocxHint') },
          ]}
        />
        <ExpressionField
          field={fields.fileName}
          label={t('step.documentName')}
          hint={t('step.documentNameHint', { expression: '="orders-" & input.month' })}
        />
        <div className="grid gap-6 group-has-[input[value=docx]:checked]/format:hidden group-has-[input[value=html]:checked]/format:hidden">
          <ExpressionField
            field={fields.rows}
            label={t('step.documentRows')}
            hint={t('step.documentRowsHint', { expression: '=steps.orders.rows' })}
            rows={3}
            use="always"
          />
          <TextAreaField
            field={fields.columns}
            label={t('step.documentColumns')}
            hint={t('step.documentColumnsHint', { example: 'amount = Amount in euros' })}
            rows={4}
            optional
            code
          />
        </div>
        <div className="grid gap-6 group-has-[input[value=csv]:checked]/format:hidden">
          <ExpressionField
            field={fields.template}
            label={t('step.documentTemplate')}
            hint={t('step.documentTemplateHint', { heading: '# ', item: '- ', expression: '{{ input.name }}' })}
            rows={12}
            use="template"
          />
        </div>
      </div>
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const createDocumentScreen = stepScreen({
  schema: createDocumentFormSchema,
  Form: CreateDocumentStepForm,
  read: readCreateDocumentStep,
  followsTarget: false,
});
