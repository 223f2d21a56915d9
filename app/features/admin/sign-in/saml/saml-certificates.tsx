import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { Provider } from '#app/features/admin/sign-in/load-sign-in.server.ts';

/** The certificates whose keys may sign for a SAML provider, all of them in force, and the way to others. */
export function SamlCertificates({ provider, saml }: { provider: Provider; saml: NonNullable<Provider['saml']> }) {
  const { t } = useTranslation('admin');
  return (
    <Section
      title={t('saml.certificates')}
      description={t('saml.certificatesBody')}
      actions={
        <ButtonLink to={`${href('/dashboard/admin/sign-in/new-saml')}?from=${provider.id}`} variant="secondary" size="small">
          {t('saml.replace')}
        </ButtonLink>
      }
    >
      {saml.certificates.some(({ warning }) => warning !== null) ? (
        <Notice kind="attention" title={t('saml.expiring')}>
          {t('saml.expiringBody')}
        </Notice>
      ) : null}
      <ul className="grid gap-2">
        {saml.certificates.map(({ fingerprint, notAfter, warning }) => (
          <li key={fingerprint}>
            {t('saml.fingerprint')} <Digest value={fingerprint} /> · {t(warning === 'expired' ? 'saml.expired' : 'saml.expires')}{' '}
            <RelativeTime at={notAfter} exact />
          </li>
        ))}
      </ul>
    </Section>
  );
}
