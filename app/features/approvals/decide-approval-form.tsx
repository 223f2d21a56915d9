import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { decideApprovalSchema } from '#app/features/approvals/decide-approval-schema.ts';

/** One choice and one button: a key pressed in a field can never approve on its own. */
export function DecideApprovalForm({
  digest,
  highRisk,
  outcome,
  lastResult,
}: {
  digest: string;
  highRisk: boolean;
  outcome: boolean;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  const { form, fields } = useAppForm(decideApprovalSchema(highRisk, outcome), { lastResult, defaultValue: { digest }, id: 'decide' });
  return (
    <AppForm form={form}>
      <input type="hidden" name="digest" value={digest} />
      <RadioGroupField
        field={fields.vote}
        label={outcome ? t('outcome.vote') : t('decide.vote')}
        options={
          outcome
            ? [
                { value: 'done', label: common('status.done'), hint: t('outcome.doneHint') },
                { value: 'again', label: common('status.again'), hint: t('outcome.againHint') },
                { value: 'reject', label: t('outcome.fail'), hint: t('outcome.failHint') },
              ]
            : [
                { value: 'approve', label: t('decide.approve'), hint: t('decide.approveHint') },
                { value: 'reject', label: t('decide.reject'), hint: t('decide.rejectHint') },
              ]
        }
      />
      <TextAreaField field={fields.reason} label={t('decide.reason')} hint={outcome ? t('outcome.reasonHint') : t('decide.reasonHint')} />
      {highRisk ? <PasswordField field={fields.password} label={t('decide.password')} hint={t('decide.passwordHint')} /> : null}
      <div>
        <SubmitButton busyLabel={t('decide.busy')}>{t('decide.submit')}</SubmitButton>
      </div>
    </AppForm>
  );
}
