import { useTranslation } from 'react-i18next';
import { Form, href, Link, useSubmit } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { askForPasskey } from '#app/components/form/proof/ceremony.ts';
import { PasskeyButton } from '#app/components/form/proof/passkey-button.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { factorCodeSchema, recoveryCodeSchema } from '#app/features/auth/factor/factor-schema.ts';
import type { FactorView } from '#app/features/auth/factor/load-factor.server.ts';
import { answerTo, type FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** After the password: the code of one's authenticator, or a recovery code. */
export function FactorPage({ view, answer }: { view: FactorView; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  if (view.state === 'nobody') {
    return (
      <TaskPage title={t('factor.title')} description={t('factor.signInFirst')}>
        <p>
          <Link to={href('/auth')} className="text-link inline-block py-1">
            {t('toSignIn')}
          </Link>
        </p>
      </TaskPage>
    );
  }
  return (
    <TaskPage
      title={t('factor.title')}
      description={t(view.passkey ? (view.code ? 'factor.bodyEither' : 'factor.bodyPasskey') : 'factor.body')}
    >
      {view.passkey ? <PasskeyFactor answer={answerTo('passkey', answer)} /> : null}
      {view.code ? <CodeForm answer={answerTo('code', answer)} /> : null}
      <Section title={t('factor.lostTitle')} description={t('factor.lostBody')}>
        <RecoveryForm answer={answerTo('recovery', answer)} />
      </Section>
      <Form method="post" action={href('/auth/sign-out')}>
        <Button variant="quiet">{t('factor.signOut')}</Button>
      </Form>
    </TaskPage>
  );
}

function PasskeyFactor({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const submit = useSubmit();
  return (
    <div className="grid gap-6">
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <PasskeyButton
        variant="primary"
        ask={() => askForPasskey({ purpose: 'factor' })}
        onAnswer={(passkey) => void submit({ form: 'passkey', passkey }, { method: 'post' })}
      >
        {t('passkey.use')}
      </PasskeyButton>
    </div>
  );
}

function CodeForm({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(factorCodeSchema, { lastResult: answer?.result, id: 'code' });
  return (
    <div className="grid gap-6">
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="code" />
        <TextField field={fields.code} label={t('code')} inputMode="numeric" autoComplete="one-time-code" code />
        <div>
          <SubmitButton busyLabel={t('signingIn')}>{t('factor.go')}</SubmitButton>
        </div>
      </AppForm>
    </div>
  );
}

function RecoveryForm({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(recoveryCodeSchema, { lastResult: answer?.result, id: 'recovery' });
  return (
    <div className="grid gap-6">
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="recovery" />
        <TextField field={fields.recoveryCode} label={t('factor.recoveryCode')} code />
        <div>
          <SubmitButton variant="secondary" busyLabel={t('signingIn')}>
            {t('factor.useRecoveryCode')}
          </SubmitButton>
        </div>
      </AppForm>
    </div>
  );
}
