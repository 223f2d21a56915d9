import { useTranslation } from 'react-i18next';
import { href, Link, useSubmit } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Button } from '#app/components/ui/button.tsx';
import { signInSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

export function SignInForm({
  email,
  next,
  passkeys,
  answer,
}: {
  email: string;
  next: string | null;
  /** The browser may offer a passkey in the field of the address. */
  passkeys: boolean;
  answer: FormAnswer | undefined;
}) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(signInSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'sign-in' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')}>
        {answer?.refusal?.group === 'wrongDetails' ? (
          <p className="mt-2">
            {t('notConfirmedYet')} <Link to={`${href('/auth/confirm')}?again=1`}>{t('sendAgain')}</Link>
          </p>
        ) : null}
      </RefusalNotice>
      <AppForm form={form}>
        <input type="hidden" name="form" value="sign-in" />
        <TextField field={fields.email} label={t('email')} type="email" autoComplete={passkeys ? 'username webauthn' : 'username'} />
        <PasswordField field={fields.password} label={t('password')} autoComplete="current-password" />
        <div className="flex flex-wrap items-center justify-between gap-4">
          <SubmitButton busyLabel={t('signingIn')}>{t('signIn')}</SubmitButton>
          <Link to={href('/reset-password')} className="text-link inline-block py-1">
            {t('forgotPassword')}
          </Link>
        </div>
        <div className="grid gap-3 border-t border-line pt-6">
          <OtherWay to={href('/auth/mail')} next={next}>
            {t('mail.use')}
          </OtherWay>
          <OtherWay to={href('/sign-in/company')} next={next}>
            {t('company.use')}
          </OtherWay>
        </div>
      </AppForm>
    </>
  );
}

/** Another way in. It sends the address alone: the form would ask for a password first, so that with scripts it is passed by. */
function OtherWay({ to, next, children }: { to: string; next: string | null; children: string }) {
  const submit = useSubmit();
  const action = `${to}${next === null ? '' : `?next=${encodeURIComponent(next)}`}`;
  return (
    <Button
      variant="secondary"
      className="w-full"
      formAction={action}
      formNoValidate
      onClick={(event) => {
        const email = event.currentTarget.form?.elements.namedItem('email');
        if (!(email instanceof HTMLInputElement)) return;
        event.preventDefault();
        void submit({ form: 'ask', email: email.value }, { method: 'post', action });
      }}
    >
      {children}
    </Button>
  );
}
