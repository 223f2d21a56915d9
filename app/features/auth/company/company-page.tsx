import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { COMPANY_TEXT } from '#app/features/auth/company/company-failure.ts';
import type { CompanyView } from '#app/features/auth/company/load-company.server.ts';
import { emailFormSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** Where somebody signs in by their company's provider. Its button is a link: a form may not lead to another site. */
export function CompanyPage({ view, answer }: { view: CompanyView; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { realm, failed, required, asked } = view;
  return (
    <TaskPage
      title={t('company.title')}
      description={required && realm !== null ? t('company.required', { name: realm.workspaceName }) : t('company.body')}
    >
      {failed === null ? null : (
        <Notice kind="danger" title={t('signInFailed')} live>
          {t(COMPANY_TEXT[failed])}
        </Notice>
      )}
      {realm === null ? (
        <>
          {asked === null ? null : (
            <Notice kind="info" title={t('company.none')} live>
              {t('company.noneBody', { domain: asked })}
            </Notice>
          )}
          <EmailForm answer={answer} />
        </>
      ) : (
        <p>
          <a href={realm.start} className={buttonClass('primary')} rel="nofollow">
            {t('company.continue', { name: realm.providerName })}
          </a>
        </p>
      )}
      <p>
        <Link to={href('/auth')} className="text-link inline-block py-1">
          {t('company.byPassword')}
        </Link>
      </p>
    </TaskPage>
  );
}

function EmailForm({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const { form, fields } = useAppForm(emailFormSchema, { lastResult: answer?.result, id: 'company' });
  return (
    <div className="grid gap-6">
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <AppForm form={form}>
        <TextField field={fields.email} label={t('email')} type="email" autoComplete="username" />
        <div>
          <SubmitButton busyLabel={t('signingIn')}>{t('company.go')}</SubmitButton>
        </div>
      </AppForm>
    </div>
  );
}
