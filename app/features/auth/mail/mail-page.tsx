import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import type { MailView } from '#app/features/auth/mail/load-mail.server.ts';
import { codeFormSchema, emailFormSchema, noFieldsSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { MailboxHint } from '#app/features/auth/sign-in/mailbox-hint.tsx';
import { answerTo, type FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** Signs in by a mail that holds a link and a code: asks for it, takes its code, and is what its link opens. */
export function MailPage({ view, answer }: { view: MailView; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const over = view.state === 'over' || answerTo('link', answer)?.refusal?.group === 'link';
  const state = over ? 'over' : view.state;
  const { title, body } = useWords(state, view.email);
  return (
    <TaskPage title={title} description={body}>
      {state === 'sent' && view.mailboxOpen ? <MailboxHint /> : null}
      {state === 'ready' ? <LinkForm answer={answerTo('link', answer)} /> : null}
      {state === 'sent' || state === 'elsewhere' ? <CodeForm email={view.email} answer={answerTo('code', answer)} /> : null}
      {state === 'ask' || state === 'over' ? <AskForm email={view.email} answer={askedIn(answer)} /> : null}
      {state === 'sent' ? (
        <Section title={t('resendTitle')}>
          <AskForm email={view.email} answer={askedIn(answer)} again />
        </Section>
      ) : null}
      <p>
        <Link to={href('/auth')} className="text-link inline-block py-1">
          {t('company.byPassword')}
        </Link>
      </p>
    </TaskPage>
  );
}

function useWords(state: MailView['state'], email: string): { title: string; body: string } {
  const { t } = useTranslation('auth');
  switch (state) {
    case 'ready':
      return { title: t('signInTitle'), body: t('mail.ready', { email }) };
    case 'elsewhere':
      return { title: t('mail.title'), body: t('mail.elsewhere') };
    case 'over':
      return { title: t('linkOverTitle'), body: t('mail.over') };
    case 'sent':
      return { title: t('mail.sentTitle'), body: t('mail.sent') };
    default:
      return { title: t('mail.title'), body: t('mail.body') };
  }
}

/** Of the form here, or of the button on the sign-in page, which posts that page's form. */
function askedIn(answer: FormAnswer | undefined): FormAnswer | undefined {
  return answerTo('ask', answer) ?? answerTo('sign-in', answer);
}

function LinkForm({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form } = useAppForm(noFieldsSchema, { lastResult: answer?.result, id: 'link' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <AppForm form={form}>
        <input type="hidden" name="form" value="link" />
        <div>
          <SubmitButton busyLabel={t('signingIn')}>{t('signIn')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}

function CodeForm({ email, answer }: { email: string; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(codeFormSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'code' });
  return (
    <>
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <AppForm form={form} action={`${href('/auth/mail')}?sent=1`}>
        <input type="hidden" name="form" value="code" />
        <TextField field={fields.email} label={t('email')} type="email" autoComplete="username" />
        <TextField field={fields.code} label={t('code')} inputMode="numeric" autoComplete="one-time-code" code />
        <div>
          <SubmitButton busyLabel={t('signingIn')}>{t('signIn')}</SubmitButton>
        </div>
      </AppForm>
    </>
  );
}

function AskForm({ email, answer, again = false }: { email: string; answer: FormAnswer | undefined; again?: boolean }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(emailFormSchema, { lastResult: answer?.result, defaultValue: { email }, id: 'ask' });
  return (
    <div className="grid gap-6">
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <AppForm form={form} action={`${href('/auth/mail')}${again ? '?sent=1' : ''}`}>
        <input type="hidden" name="form" value="ask" />
        <TextField field={fields.email} label={t('email')} type="email" autoComplete="username" />
        <div>
          <SubmitButton variant={again ? 'secondary' : 'primary'} busyLabel={t('resending')}>
            {again ? t('resendButton') : t('mail.send')}
          </SubmitButton>
        </div>
      </AppForm>
    </div>
  );
}
