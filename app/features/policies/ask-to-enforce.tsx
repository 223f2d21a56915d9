import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { setPolicySchema } from '#app/features/policies/policy-schema.ts';

/** Asks another person to agree that a policy is paused, or is in force again. */
export function AskToEnforce({ active, lastResult }: { active: boolean; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const { form, fields } = useAppForm(setPolicySchema, { lastResult, id: 'enforce' });
  return (
    <Section title={active ? t('ask.pauseTitle') : t('ask.activateTitle')} description={t('ask.text')}>
      <AppForm form={form} className="grid max-w-xl gap-6">
        <TextAreaField field={fields.reason} label={t('ask.reason')} hint={t('ask.reasonHint')} rows={3} />
        <div>
          <SubmitButton variant="secondary" name="intent" value={active ? 'pause' : 'activate'} busyLabel={t('ask.busy')}>
            {active ? t('ask.pause') : t('ask.activate')}
          </SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}
