import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';

/**
 * For who comes by a link: leaving is a form, so that no page elsewhere can sign anyone out. `homeless`: they are in no workspace and can
 * do nothing else, so the page says what they wait for.
 */
export function SignOutPage({ email, homeless }: { email: string; homeless: boolean }) {
  const { t } = useTranslation('auth');
  return (
    <TaskPage
      title={homeless ? t('noWorkspaceTitle') : t('signOutTitle')}
      description={homeless ? t('noWorkspaceBody', { email }) : t('signOutBody', { email })}
    >
      <Form method="post" className="flex flex-wrap gap-3">
        {homeless ? (
          <ButtonLink to={href('/dashboard')} variant="primary">
            {t('noWorkspaceAgain')}
          </ButtonLink>
        ) : null}
        <SubmitButton busyLabel={t('signingOut')} variant={homeless ? 'secondary' : 'primary'}>
          {t('signOut')}
        </SubmitButton>
      </Form>
    </TaskPage>
  );
}
