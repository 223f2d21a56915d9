import { useTranslation } from 'react-i18next';
import { Form, Link } from 'react-router';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import type { CompanyLinkView } from '#app/features/auth/company/link-company.server.ts';

/** An account proves itself before a company's provider opens it. */
export function CompanyLinkPage({ view }: { view: CompanyLinkView }) {
  const { t } = useTranslation('auth');
  const { email, provider, workspace, signIn, other } = view;
  return (
    <TaskPage title={t('company.linkTitle')} description={t('company.linkBody', { provider, workspace, email })}>
      {signIn === null ? (
        <Form method="post" className="grid gap-6">
          <p className="max-w-measure">{t('company.linkMeans', { provider, email })}</p>
          <SubmitButton busyLabel={t('signingIn')}>{t('company.link', { provider })}</SubmitButton>
        </Form>
      ) : (
        <div className="grid gap-4">
          {other === null ? null : <p className="max-w-measure">{t('company.linkOther', { other, email })}</p>}
          <p>
            <Link to={signIn} className={buttonClass('primary')}>
              {t('company.linkSignIn', { email })}
            </Link>
          </p>
        </div>
      )}
    </TaskPage>
  );
}
