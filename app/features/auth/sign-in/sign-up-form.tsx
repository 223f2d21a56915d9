import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { MIN_PASSWORD_LENGTH, signUpSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

export function SignUpForm({ email, answer }: { email: string; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(signUpSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'sign-up' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('signUpFailed')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="sign-up" />
        <TextField field={fields.name} label={t('name')} hint={t('nameHint')} autoComplete="name" optional />
        <TextField field={fields.email} label={t('email')} type="email" autoComplete="username" />
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
