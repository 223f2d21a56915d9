import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedSignIn } from '#app/features/connections/sign-in/load-sign-in.server.ts';
import { pageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { SignInChoice } from '#app/features/connections/sign-in/sign-in-choice.tsx';

type Settled = Extract<LoadedSignIn, { leaving: null }>;

/** Shows as whom a connection is signed in, and the ways to change that; or the step that leaves for the authorization server. */
export function SignInPage({ loaded }: { loaded: LoadedSignIn }) {
  const { t } = useTranslation('connections');
  const breadcrumbs = [
    { label: t('mcp.title'), to: href('/dashboard/plugins') },
    { label: loaded.name, to: pageOf(loaded.id) },
  ];
  if (loaded.leaving !== null) {
    const { host, address } = loaded.leaving;
    return (
      <PageFrame title={t('signIn.leavingTitle', { host })} description={t('signIn.leavingText')} breadcrumbs={breadcrumbs}>
        {/* A form may not lead to another site, which the policy of every page forbids: the page itself moves on. */}
        <meta httpEquiv="refresh" content={`0; url=${address}`} />
        <a href={address} rel="noreferrer" className="text-link">
          {t('signIn.continue', { host })}
        </a>
      </PageFrame>
    );
  }
  return (
    <PageFrame title={t('signIn.title', { name: loaded.name })} description={t('signIn.text')} breadcrumbs={breadcrumbs}>
      {loaded.fault === null ? null : (
        <div className="mb-6">
          <Notice kind="danger" title={t('signIn.faultTitle')} live>
            {t(`signIn.fault.${loaded.fault}`, { host: loaded.signIn.host })}
          </Notice>
        </div>
      )}
      <State loaded={loaded} />
      {loaded.mayManage ? <SignInChoice loaded={loaded} /> : null}
    </PageFrame>
  );
}

function State({ loaded }: { loaded: Settled }) {
  const { t } = useTranslation('connections');
  const { held, signIn } = loaded;
  const { host } = signIn;
  return (
    <Section title={signIn.by === 'member' ? t('signIn.yours') : t('signIn.workspaces')}>
      <DescriptionList
        items={[
          { term: t('columns.status'), description: held === null ? t('signIn.none') : held.lost ? t('signIn.lost') : t('signIn.active') },
          { term: t('signIn.host'), description: <bdi dir="ltr">{host}</bdi> },
          ...(held === null
            ? []
            : [
                { term: t('signIn.since'), description: <RelativeTime at={held.at} /> },
                { term: t('signIn.by'), description: <bdi>{held.by}</bdi> },
                ...(held.scope === '' ? [] : [{ term: t('signIn.scope'), description: <code dir="ltr">{held.scope}</code> }]),
              ]),
        ]}
      />
      {loaded.maySignIn ? (
        <div className="mt-4 flex flex-wrap gap-3">
          <CommandForm hidden={{ intent: 'begin' }}>
            <SubmitButton busyLabel={t('signIn.busy')}>
              {held === null ? t('signIn.begin', { host }) : t('signIn.again', { host })}
            </SubmitButton>
          </CommandForm>
          {held === null ? null : (
            <CommandForm hidden={{ intent: 'end' }}>
              <SubmitButton variant="secondary">{t('signIn.end')}</SubmitButton>
            </CommandForm>
          )}
          <ButtonLink variant="quiet" to={pageOf(loaded.id)}>
            {t('signIn.back')}
          </ButtonLink>
        </div>
      ) : (
        <p className="mt-4 text-muted">{t('signIn.needsManager')}</p>
      )}
    </Section>
  );
}
