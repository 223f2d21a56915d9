import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import type { LoadedServer } from '#app/features/marketplace/load-marketplace.server.ts';
import { TRANSPORT_NAMES } from '#app/features/marketplace/transport-names.ts';

/** One server: its purpose, its requirements, and the effect of installing it. */
export function ServerPage({ server }: { server: LoadedServer }) {
  const { t } = useTranslation('marketplace');
  const address = server.remotes[0]?.url ?? null;
  return (
    <PageFrame
      title={server.title}
      description={
        <span lang="en" dir="ltr">
          {server.description}
        </span>
      }
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/marketplace') }]}
      actions={
        server.mayInstall && server.remote !== null ? (
          <CommandForm hidden={{}}>
            <SubmitButton>{t('server.install')}</SubmitButton>
          </CommandForm>
        ) : null
      }
    >
      {server.remote === null ? (
        <div className="mb-6">
          <Notice kind="info" title={t('server.localTitle')}>
            {server.startsPrograms ? t('server.localAllowed') : t('server.localText')}
          </Notice>
        </div>
      ) : null}
      <Section title={t('server.about')}>
        <DescriptionList
          items={[
            { term: t('server.publisher'), description: <bdi>{server.publisher}</bdi> },
            { term: t('filter.category'), description: t(`category.${server.category}`) },
            { term: t('filter.transport'), description: server.transports.map((transport) => TRANSPORT_NAMES[transport]).join(', ') },
            { term: t('filter.licence'), description: server.licence ?? t('server.licenceUnknown') },
            ...(server.repository === null
              ? []
              : [
                  {
                    term: t('server.source'),
                    description: (
                      <a href={server.repository} rel="noreferrer" className="text-link break-all" dir="ltr">
                        {server.repository}
                      </a>
                    ),
                  },
                ]),
          ]}
        />
      </Section>
      <Section title={t('server.permissions')} description={t('server.permissionsText')}>
        <DescriptionList
          items={[
            {
              term: t('server.credentials'),
              description: (
                <>
                  {t(`credential.${server.credential}`)}
                  {server.secretEnv === null || server.secretEnv.length === 0 ? null : (
                    <span className="block text-sm text-muted" dir="ltr">
                      <code className="break-all">{server.secretEnv.join(', ')}</code>
                    </span>
                  )}
                </>
              ),
            },
            {
              term: t('server.network'),
              description:
                address === null ? (
                  t('server.networkLocal')
                ) : (
                  <bdi dir="ltr" className="break-all">
                    {address}
                  </bdi>
                ),
            },
            { term: t('server.files'), description: address === null ? t('server.filesLocal') : t('server.filesRemote') },
            { term: t('server.policy'), description: t('server.policyText') },
          ]}
        />
      </Section>
    </PageFrame>
  );
}
