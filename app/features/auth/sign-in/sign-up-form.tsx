import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Admission } from '#app/features/auth/sign-in/admission.ts';
import { MIN_PASSWORD_LENGTH, signUpSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** Where nobody can make an account by this page, it says who can, instead of a form that refuses everyone. */
export function SignUpForm({ admission, ...form }: { admission: Admission; email: string; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { list } = useFormats();
  const refusal = form.answer?.refusal;
  switch (admission.kind) {
    case 'closed':
    case 'invited':
      return (
        <>
          <RefusalNotice refusal={refusal} title={t('signUpFailed')} />
          <Notice kind="info" title={t(`registration.${admission.kind}Title`)}>
            {t(`registration.${admission.kind}Body`)}
          </Notice>
        </>
      );
    case 'domains':
      return <OpenForm {...form} emailHint={t('registration.domains', { domains: list(admission.domains) })} />;
    case 'expected':
      return <OpenForm {...form} emailHint={t('registration.expected')} />;
    case 'invitation':
      return <OpenForm {...form} email={form.email || admission.email} emailHint={t('registration.invitation')} />;
    default:
      return <OpenForm {...form} />;
  }
}

function OpenForm({ email, emailHint, answer }: { email: string; emailHint?: string; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(signUpSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'sign-up' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('signUpFailed')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="sign-up" />
        <TextField field={fields.name} label={t('name')} hint={t('nameHint')} autoComplete="name" optional />
        <TextField
          field={fields.email}
          label={t('email')}
          {...(emailHint === undefined ? {} : { hint: emailHint })}
          type="email"
          autoComplete="username"
        />
        <PasswordField
          field={fields.password}
          label={t('password')}
          hint={t('passwordHint', { min: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
        />
        <p className="text-sm text-muted">
          {t('termsNote')}{' '}
          <Link className="text-link" to={href('/legal/terms')}>
            {t('termsLink')}
          </Link>
          {' · '}
          <Link className="text-link" to={href('/legal/privacy')}>
            {t('privacyLink')}
          </Link>
        </p>
        <div>
          <SubmitButton busyLabel={t('signingUp')}>{t('signUp')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}
