import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { ACCOUNT_AREAS } from '#app/features/account/account-areas.ts';
import type { AccountView } from '#app/features/account/load-account.server.ts';

/** The start of one's personal settings. */
export function AccountPage({ view }: { view: AccountView }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('title')}
      description={t('signedInAs', { name: view.name, email: view.email })}
      actions={<ButtonLink to={href('/auth/sign-out')}>{t('signOut')}</ButtonLink>}
    >
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {ACCOUNT_AREAS.map(({ key, to }) => (
          <li key={key}>
            <Card className="h-full">
              <h2 className="font-semibold">
                <Link to={to} className="text-link inline-block py-0.5">
                  {t(`area.${key}`)}
                </Link>
              </h2>
              <p className="mt-1.5 text-sm text-muted">{t(`areaBody.${key}`)}</p>
            </Card>
          </li>
        ))}
      </ul>
      <Section title={t('workspacesTitle')} description={t('workspacesBody')}>
        <Workspaces view={view} />
      </Section>
    </PageFrame>
  );
}

function Workspaces({ view }: { view: AccountView }) {
  const { t } = useTranslation('account');
  return (
    <ul className="grid max-w-measure divide-y divide-line rounded-lg border border-line bg-surface">
      {view.workspaces.map((workspace) => (
        <li key={workspace.id} className="flex min-h-12 flex-wrap items-center justify-between gap-3 px-4 py-2">
          <bdi>{workspace.name}</bdi>
          {workspace.id === view.workspace.id ? (
            <Badge tone="accent">{t('current')}</Badge>
          ) : (
            <Form method="post" action={href('/dashboard/account/workspace')}>
              <WorkspaceInput />
              <input type="hidden" name="workspaceId" value={workspace.id} />
              <Button size="small" aria-label={t('switchTo', { workspace: workspace.name })}>
                {t('switch')}
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
