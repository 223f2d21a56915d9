import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { ToastOnce } from '#app/components/toast/toast-provider.tsx';
import type { ResetView } from '#app/features/auth/recovery/load-reset.server.ts';
import {
  choosePasswordSchema,
  choosePasswordWithCodeSchema,
  emailFormSchema,
  MIN_PASSWORD_LENGTH,
} from '#app/features/auth/sign-in/credentials-schema.ts';
import { MailboxHint } from '#app/features/auth/sign-in/mailbox-hint.tsx';
import { answerTo, type FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** Asks for a recovery e-mail, and takes the new password. */
export function ResetPage({ view, answer }: { view: ResetView; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const linkOver = view.state === 'over' || answerTo('choose', answer)?.refusal?.group === 'link';
  if (view.state === 'choose' && !linkOver) {
    return (
      <TaskPage title={t('choosePasswordTitle')} description={t('choosePasswordBody')}>
        <ChooseForm answer={answerTo('choose', answer)} />
      </TaskPage>
    );
  }
  if (view.state === 'code') {
    return (
      <TaskPage title={t('choosePasswordTitle')} description={t('choosePasswordBody')}>
        <CodeForm email={view.email} answer={answerTo('code', answer)} />
      </TaskPage>
    );
  }
  return (
    <TaskPage title={linkOver ? t('linkOverTitle') : t('resetTitle')} description={linkOver ? t('failure.link') : t('resetBody')}>
      {view.state === 'sent' ? (
        <>
          <ToastOnce of={view.state} kind="ok" title={t('resetSentTitle')} text={t('resetSentBody')} />
          <Notice kind="ok" title={t('resetSentTitle')} live>
            <p>{t('resetSentBody')}</p>
            <p className="mt-2">
              <Link to={href('/contact')}>{t('resetSentHelp')}</Link>
            </p>
          </Notice>
        </>
      ) : null}
      {view.state === 'sent' && view.mailboxOpen ? <MailboxHint /> : null}
      <RequestForm email={view.email} answer={answerTo('request', answer)} />
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <Link to={`${href('/reset-password')}?with=code`} className="text-link inline-block py-1">
          {t('haveCode')}
        </Link>
        <Link to={href('/auth')} className="text-link inline-block py-1">
          {t('toSignIn')}
        </Link>
      </p>
    </TaskPage>
  );
}

type RememberedProps = { email: string; answer: FormAnswer | undefined };

function RequestForm({ email, answer }: RememberedProps) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(emailFormSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'request' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('unexpected')} />
      <AppForm form={form} action={href('/reset-password')}>
        <input type="hidden" name="form" value="request" />
        <TextField field={fields.email} label={t('email')} type="email" autoComplete="username" />
        <div>
          <SubmitButton busyLabel={t('resending')}>{t('resetButton')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}

function ChooseForm({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(choosePasswordSchema, { lastResult: answer?.result, id: 'choose' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('unexpected')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="choose" />
        <PasswordField
          field={fields.password}
          label={t('newPassword')}
          hint={t('newPasswordHint', { min: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
        />
        <div>
          <SubmitButton busyLabel={t('savingPassword')}>{t('choosePasswordButton')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}

function CodeForm({ email, answer }: RememberedProps) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(choosePasswordWithCodeSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'code' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('unexpected')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="code" />
        <TextField field={fields.email} label={t('email')} type="email" autoComplete="username" />
        <TextField field={fields.code} label={t('code')} inputMode="numeric" autoComplete="one-time-code" code />
        <PasswordField
          field={fields.password}
          label={t('newPassword')}
          hint={t('newPasswordHint', { min: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
        />
        <div>
          <SubmitButton busyLabel={t('savingPassword')}>{t('choosePasswordButton')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}
