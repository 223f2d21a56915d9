import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { createPolicySchema, TEMPLATE_SLUGS } from '#app/features/policies/policy-schema.ts';

const TEMPLATE_WORDS = {
  'support-refunds': 'create.templates.supportRefunds',
  'bank-payments': 'create.templates.bankPayments',
  'bank-hours': 'create.templates.bankHours',
  'bank-new-payee': 'create.templates.bankNewPayee',
  'bank-payee': 'create.templates.bankPayee',
  'hospital-disclosure': 'create.templates.hospitalDisclosure',
  'hospital-prescriptions': 'create.templates.hospitalPrescriptions',
  'hospital-hours': 'create.templates.hospitalHours',
  'office-mail': 'create.templates.officeMail',
  'office-separation': 'create.templates.officeSeparation',
  'office-budget': 'create.templates.officeBudget',
} as const satisfies Record<(typeof TEMPLATE_SLUGS)[number], string>;

export function CreatePolicyForm({ lastResult }: { lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const { form, fields } = useAppForm(createPolicySchema, { lastResult });
  return (
    <PageFrame
      title={t('create.title')}
      description={t('create.description')}
      breadcrumbs={[{ label: t('list.title'), to: href('/dashboard/policies') }]}
    >
      <AppForm form={form}>
        <TextField field={fields.name} label={t('create.name')} />
        <TextAreaField field={fields.description} label={t('create.descriptionField')} hint={t('create.descriptionHint')} optional />
        <SelectField
          field={fields.template}
          label={t('create.template')}
          hint={t('create.templateHint')}
          placeholder={t('create.noTemplate')}
          options={TEMPLATE_SLUGS.map((slug) => ({ value: slug, label: t(TEMPLATE_WORDS[slug]) }))}
        />
        <div>
          <SubmitButton busyLabel={t('create.busy')}>{t('create.submit')}</SubmitButton>
        </div>
      </AppForm>
    </PageFrame>
  );
}
