import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { Section } from '#app/components/page/section.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { ToastOnce } from '#app/components/toast/toast-provider.tsx';
import { OTHER_MAILBOX } from '#app/features/auth/recovery/email-link.ts';
import type { ConfirmationView } from '#app/features/auth/recovery/load-confirmation.server.ts';
import { codeFormSchema, emailFormSchema, noFieldsSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { MailboxHint } from '#app/features/auth/sign-in/mailbox-hint.tsx';
import { answerTo, type FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** The target of an e-mailed link, and the page where one waits for it. */
export function ConfirmPage({ view, answer }: { view: ConfirmationView; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const ofLink = answerTo('link', answer);
  const over = ofLink?.refusal?.group === 'link';
  if (view.state === 'ready' && !over) {
    return (
      <TaskPage title={view.emailChange ? t('confirmEmailChangeTitle') : t('confirmTitle')} description={t('confirmBody')}>
        <LinkForm answer={ofLink} />
      </TaskPage>
    );
  }
  const action = addressOf(over ? 'over' : view.state);
  const texts = over ? ({ title: t('linkOverTitle'), body: t('linkOverBody') } as const) : stateTexts(view.state, t);
  return (
    <TaskPage title={texts.title} description={texts.body}>
      {view.state === 'sent' && !over ? (
        <>
          <ToastOnce of={view.state} kind="ok" title={t('checkEmailTitle')} text={t('checkEmailBody')} />
          <Notice kind="ok" title={t('checkEmailTitle')} live>
            {t('checkEmailBody')}
          </Notice>
        </>
      ) : null}
      {view.mailboxOpen && (view.state === 'sent' || view.state === 'resent') ? <MailboxHint /> : null}
      <div>
        {view.state === 'ask' ? null : <CodeSection email={view.email} action={action} answer={answerTo('code', answer)} />}
        {view.state === 'halfway' ? null : <ResendSection email={view.email} action={action} answer={answerTo('resend', answer)} />}
      </div>
      <p>
        <Link to={href('/auth')} className="text-link inline-block py-1">
          {t('toSignIn')}
        </Link>
      </p>
    </TaskPage>
  );
}

/** Where the forms of this page are posted to, so that a refusal is told on the same page. Its token stays behind. */
function addressOf(state: ConfirmationView['state']): string {
  const query = { sent: 'sent=signup', resent: 'sent=again', halfway: `sent=${OTHER_MAILBOX}`, ask: 'again=1' } as const;
  return `${href('/auth/confirm')}?${state in query ? query[state as keyof typeof query] : `was=${state}`}`;
}

function stateTexts(state: ConfirmationView['state'], t: ReturnType<typeof useTranslation<'auth'>>['t']): { title: string; body: string } {
  switch (state) {
    case 'sent':
      return { title: t('checkEmailTitle'), body: t('checkEmailMore') };
    case 'resent':
      return { title: t('resentTitle'), body: t('resentBody') };
    case 'halfway':
      return { title: t('halfwayTitle'), body: t('halfwayBody') };
    case 'ask':
      return { title: t('resendTitle'), body: t('notConfirmedYet') };
    case 'garbled':
      return { title: t('linkGarbledTitle'), body: t('linkGarbledBody') };
    case 'missing':
      return { title: t('linkMissingTitle'), body: t('linkMissingBody') };
    default:
      return { title: t('linkOverTitle'), body: t('linkOverBody') };
  }
}

function LinkForm({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form } = useAppForm(noFieldsSchema, { lastResult: answer?.result, id: 'link' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('unexpected')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="link" />
        <div>
          <SubmitButton busyLabel={t('confirming')}>{t('confirmButton')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}

type RememberedProps = { email: string; action: string; answer: FormAnswer | undefined };

function CodeSection({ email, action, answer }: RememberedProps) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(codeFormSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'code' });
  return (
    <Section title={t('codeTitle')} description={t('codeBody')}>
      <div className="grid gap-6">
        <RefusalNotice refusal={answer?.refusal} title={t('unexpected')} />
        <AppForm form={form} action={action}>
          <input type="hidden" name="form" value="code" />
          <TextField field={fields.email} label={t('email')} type="email" autoComplete="email" />
          <TextField field={fields.code} label={t('code')} inputMode="numeric" autoComplete="one-time-code" code />
          <div>
            <SubmitButton variant="secondary" busyLabel={t('confirming')}>
              {t('codeButton')}
            </SubmitButton>
          </div>
        </AppForm>
        <p>
          <Link to={`${href('/reset-password')}?with=code`} className="text-link inline-block py-1">
            {t('codeOfReset')}
          </Link>
        </p>
      </div>
    </Section>
  );
}

function ResendSection({ email, action, answer }: RememberedProps) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(emailFormSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'resend' });
  return (
    <Section title={t('resendTitle')} description={t('resendBody')}>
      <div className="grid gap-6">
        <RefusalNotice refusal={answer?.refusal} title={t('unexpected')} />
        <AppForm form={form} action={action}>
          <input type="hidden" name="form" value="resend" />
          <TextField field={fields.email} label={t('email')} type="email" autoComplete="email" />
          <div>
            <SubmitButton variant="secondary" busyLabel={t('resending')}>
              {t('resendButton')}
            </SubmitButton>
          </div>
        </AppForm>
      </div>
    </Section>
  );
}
