import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { Section } from '#app/components/page/section.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { WORKSPACE_PARAM } from '#app/domain/people/notifications.ts';
import type { ElsewhereView } from '#app/features/auth/session/load-elsewhere.server.ts';

/** The workspace is used from its own networks alone. */
export function ElsewherePage({ view: { address, workspace, others } }: { view: ElsewhereView }) {
  const { t } = useTranslation('auth');
  return (
    <TaskPage title={t('elsewhere.title')} description={t('elsewhere.body', { workspace })}>
      <p>
        {t('elsewhere.address')} <code dir="ltr">{address}</code>
      </p>
      {others.length === 0 ? null : (
        <Section title={t('elsewhere.others')}>
          <ul className="grid gap-2">
            {others.map(({ id, name }) => (
              <li key={id}>
                <Link className="text-link" to={`${href('/dashboard')}?${new URLSearchParams({ [WORKSPACE_PARAM]: id })}`}>
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={href('/dashboard')} variant="primary">
          {t('elsewhere.again')}
        </ButtonLink>
        <Form method="post" action={href('/auth/sign-out')}>
          <Button variant="quiet">{t('signOut')}</Button>
        </Form>
      </div>
    </TaskPage>
  );
}
