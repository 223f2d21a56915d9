import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { MESSAGE_RECIPIENTS, type MessageStep } from '#app/domain/workflows/steps/message-step.ts';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { commonOf } from '#app/features/workflows/steps/form/step-values.ts';
import { messageFormSchema, readMessageStep } from '#app/features/workflows/steps/message/message-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function MessageStepForm({ step, revision, lastResult }: StepFormProps<MessageStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(messageFormSchema, {
    lastResult,
    defaultValue: { revision, ...commonOf(step), to: step.to, members: step.members, mail: step.mail, text: step.text },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      <CheckboxGroupField
        field={fields.to}
        label={t('step.messageTo')}
        options={MESSAGE_RECIPIENTS.map((value) => ({ value, label: t(`step.messageRecipients.${value}`) }))}
      />
      <ExpressionField
        field={fields.members}
        label={t('step.messageMembers')}
        hint={t('step.messageMembersHint', { expression: '=input.reviewers.email' })}
        rows={2}
        optional
      />
      <CheckboxField field={fields.mail} label={t('step.messageMail')} hint={t('step.messageMailHint')} />
      <ExpressionField
        field={fields.text}
        label={t('step.messageText')}
        hint={t('step.messageTextHint', { expression: '="Order " & input.order' })}
        rows={3}
      />
      <CommonFields fields={fields} calls={false} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const messageScreen = stepScreen({ schema: messageFormSchema, Form: MessageStepForm, read: readMessageStep, followsTarget: false });
