import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Section } from '#app/components/page/section.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Role } from '#app/contracts/people.ts';
import { lastDay } from '#app/domain/web/last-day.ts';
import type { InvitationView } from '#app/features/members/load-invitation.server.ts';

/** The page of an invitation's link: the question, or why there is none. */
export function InvitationPage({ view }: { view: InvitationView }) {
  const { t } = useTranslation('members');
  switch (view.kind) {
    case 'unknown':
      return (
        <TaskPage title={t('invitationUnknownTitle')} description={t('invitationUnknownBody')}>
          <p className="flex flex-wrap gap-3">
            <ButtonLink to={href('/dashboard')} variant="primary">
              {t('toDashboard')}
            </ButtonLink>
            <ButtonLink to={href('/')}>{t('toStart')}</ButtonLink>
          </p>
        </TaskPage>
      );
    case 'over':
      return <OverPage state={view.state} workspace={view.workspace} />;
    case 'wrongAccount':
      return (
        <TaskPage title={t('wrongAccountTitle')} description={t('wrongAccountBody', { email: view.email, current: view.current })}>
          <Form method="post" action={href('/auth/sign-out')}>
            <input type="hidden" name="next" value={view.path} />
            <SubmitButton variant="secondary">{t('signOut')}</SubmitButton>
          </Form>
        </TaskPage>
      );
    default:
      return (
        <TaskPage title={t('invitationTitle', { workspace: view.workspace })} description={t('invitationBody', { email: view.email })}>
          <RoleList roles={view.roles} />
          {view.memberUntil === null ? null : <LastDay until={view.memberUntil} />}
          {view.kind === 'anonymous' ? <SignInFirst email={view.email} path={view.path} /> : <Answer />}
        </TaskPage>
      );
  }
}

function OverPage({ state, workspace }: { state: 'accepted' | 'declined' | 'withdrawn' | 'expired'; workspace: string }) {
  const { t } = useTranslation('members');
  const texts = {
    expired: { title: t('invitationExpiredTitle'), body: t('invitationExpiredBody', { workspace }) },
    withdrawn: { title: t('invitationWithdrawnTitle'), body: t('invitationWithdrawnBody', { workspace }) },
    accepted: { title: t('invitationUsedTitle'), body: t('invitationUsedBody', { workspace }) },
    declined: { title: t('invitationUsedTitle'), body: t('invitationUsedBody', { workspace }) },
  }[state];
  return (
    <TaskPage title={texts.title} description={texts.body}>
      <p>
        <ButtonLink to={href('/dashboard')}>{t('toDashboard')}</ButtonLink>
      </p>
    </TaskPage>
  );
}

function RoleList({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation('members');
  return (
    <Section title={t('invitationRoles')}>
      <ul className="grid gap-2">
        {roles.map((role) => (
          <li key={role}>
            <span className="font-semibold">{t(`role.${role}`)}</span>
            <span className="block text-sm text-muted">{t(`roleHint.${role}`)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function LastDay({ until }: { until: string }) {
  const { t } = useTranslation('members');
  const { date } = useFormats();
  return <p>{t('invitationLastDay', { date: date(lastDay(until)) })}</p>;
}

function SignInFirst({ email, path }: { email: string; path: string }) {
  const { t } = useTranslation('members');
  const next = encodeURIComponent(path);
  return (
    <div className="grid gap-4">
      <p>{t('signInFirst', { email })}</p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink to={`${href('/auth')}?mode=sign-in&next=${next}`} variant="primary">
          {t('signIn')}
        </ButtonLink>
        <ButtonLink to={`${href('/auth')}?mode=sign-up&next=${next}`}>{t('signUp')}</ButtonLink>
      </p>
    </div>
  );
}

function Answer() {
  const { t } = useTranslation('members');
  return (
    <Form method="post" className="flex flex-wrap gap-3">
      <SubmitButton name="answer" value="accept" busyLabel={t('accepting')}>
        {t('accept')}
      </SubmitButton>
      <SubmitButton name="answer" value="decline" variant="secondary" busyLabel={t('declining')}>
        {t('decline')}
      </SubmitButton>
    </Form>
  );
}
