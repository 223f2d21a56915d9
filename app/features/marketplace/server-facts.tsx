import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Section } from '#app/components/page/section.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { LoadedEntry } from '#app/features/marketplace/load-marketplace.server.ts';
import { TRANSPORT_NAMES } from '#app/features/marketplace/transport-names.ts';

/** Where a server comes from, and what it asks for. */
export function ServerFacts({ server }: { server: LoadedEntry }) {
  const { t } = useTranslation('marketplace');
  return (
    <>
      <Section title={t('server.about')}>
        <DescriptionList items={useOrigin(server)} />
      </Section>
      <Section title={t('server.permissions')} description={t('server.permissionsText')}>
        <DescriptionList items={useDemands(server)} />
      </Section>
    </>
  );
}

function useOrigin(server: LoadedEntry) {
  const { t } = useTranslation('marketplace');
  return [
    { term: t('server.publisher'), description: <bdi className="wrap-anywhere">{server.publisher}</bdi> },
    ...(server.category === null ? [] : [{ term: t('filter.category'), description: t(`category.${server.category}`) }]),
    { term: t('filter.transport'), description: server.transports.map((transport) => TRANSPORT_NAMES[transport]).join(', ') || '–' },
    { term: t('filter.licence'), description: server.licence ?? t('server.licenceUnknown') },
    { term: t('server.version'), description: <bdi>{server.version ?? t('server.versionUnknown')}</bdi> },
    ...(server.packages.length === 0
      ? []
      : [
          {
            term: t('server.packages'),
            description: (
              <ul>
                {server.packages.map(({ registryType, identifier }) => (
                  <li key={`${registryType} ${identifier}`}>
                    {registryType}: <CopiedCode text={identifier} name={identifier} />
                  </li>
                ))}
              </ul>
            ),
          },
        ]),
    ...(server.repository === null
      ? []
      : [
          {
            term: t('server.source'),
            description: (
              <a href={server.repository} rel="noreferrer" className="text-link wrap-anywhere" dir="ltr">
                {server.repository}
              </a>
            ),
          },
        ]),
    { term: t('filter.source'), description: <bdi>{server.registry?.name ?? t('catalogue')}</bdi> },
  ];
}

function useDemands({ credential, remote, secrets }: LoadedEntry) {
  const { t } = useTranslation('marketplace');
  return [
    {
      term: t('server.credentials'),
      description: (
        <>
          {t(`credential.${credential}`)}
          {secrets.length === 0 ? null : (
            <span className="block text-sm text-muted" dir="ltr">
              <code className="wrap-anywhere">{secrets.join(', ')}</code>
            </span>
          )}
        </>
      ),
    },
    {
      term: t('server.network'),
      description: remote === null ? t('server.networkLocal') : <CopiedCode text={remote} name={t('server.network')} />,
    },
    { term: t('server.files'), description: remote === null ? t('server.filesLocal') : t('server.filesRemote') },
    { term: t('server.policy'), description: t('server.policyText') },
  ];
}
