import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';

/** For who comes by a link: leaving is a form, so that no page elsewhere can sign anyone out. */
export function SignOutPage({ email }: { email: string }) {
  const { t } = useTranslation('auth');
  return (
    <TaskPage title={t('signOutTitle')} description={t('signOutBody', { email })}>
      <Form method="post">
        <SubmitButton busyLabel={t('signingOut')}>{t('signOut')}</SubmitButton>
      </Form>
    </TaskPage>
  );
}
