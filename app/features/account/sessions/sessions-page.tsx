import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import type { ListedSession, SessionsView } from '#app/features/account/sessions/load-sessions.server.ts';

/** The places where one is signed in, with a button to end each. */
export function SessionsPage({ view }: { view: SessionsView }) {
  const { t } = useTranslation('account');
  return (
    <AccountFrame title={t('area.sessions')} description={t('areaBody.sessions')}>
      <SessionsTable sessions={view.sessions} />
      <Section title={t('sessions.endTitle')} description={t('sessions.endBody')}>
        <div className="flex flex-wrap gap-3">
          {view.sessions.length < 2 ? null : (
            <CommandForm hidden={{ intent: 'others' }}>
              <SubmitButton variant="secondary" busyLabel={t('sessions.ending')}>
                {t('sessions.endOthers')}
              </SubmitButton>
            </CommandForm>
          )}
          <CommandForm hidden={{ intent: 'everywhere' }}>
            <SubmitButton variant="danger" busyLabel={t('sessions.ending')}>
              {t('sessions.endAll')}
            </SubmitButton>
          </CommandForm>
        </div>
      </Section>
    </AccountFrame>
  );
}

function SessionsTable({ sessions }: { sessions: ListedSession[] }) {
  const { t } = useTranslation('account');
  const nameOf = (session: ListedSession) =>
    session.browser !== null && session.system !== null
      ? t('sessions.browserOn', { browser: session.browser, system: session.system })
      : (session.browser ?? session.system ?? t('sessions.unknownBrowser'));
  const columns: Column<ListedSession>[] = [
    {
      key: 'browser',
      header: t('sessions.browser'),
      cell: (session) => (
        <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi>{nameOf(session)}</bdi>
          {session.current ? <Badge tone="accent">{t('sessions.current')}</Badge> : null}
        </span>
      ),
    },
    { key: 'last', header: t('sessions.lastSeen'), cell: (session) => <RelativeTime at={session.lastSeenAt} /> },
    { key: 'first', header: t('sessions.firstSeen'), cell: (session) => <RelativeTime at={session.firstSeenAt} exact /> },
    {
      key: 'actions',
      header: t('sessions.actions'),
      align: 'end',
      cell: (session) =>
        session.current ? (
          <ButtonLink to={href('/auth/sign-out')} size="small" variant="quiet">
            {t('signOut')}
          </ButtonLink>
        ) : (
          <CommandForm hidden={{ intent: 'end', session: session.id }}>
            <Button size="small" variant="quiet" aria-label={t('sessions.endOf', { browser: nameOf(session) })}>
              {t('signOut')}
            </Button>
          </CommandForm>
        ),
    },
  ];
  return <DataTable caption={t('sessions.caption')} columns={columns} rows={sessions} rowKey={(session) => session.id} empty={null} />;
}
