import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { useSignInCrumbs } from '#app/features/admin/sign-in/provider-page.tsx';
import type { NewSaml, SamlService } from '#app/features/admin/sign-in/saml/load-saml.server.ts';
import { SamlProviderForm } from '#app/features/admin/sign-in/saml/saml-provider-form.tsx';

/** Our side of SAML: what to enter at a provider, and the certificates that we sign with and providers encrypt to. */
export function SamlPage({ service }: { service: SamlService }) {
  const { t } = useTranslation('admin');
  const { keys } = service;
  const has = (state: string) => keys.some((key) => key.state === state);
  return (
    <PageFrame title={t('saml.title')} description={t('saml.body')} breadcrumbs={useSignInCrumbs()}>
      <AtSamlProvider service={service} />
      <Section title={t('saml.keys')} description={t('saml.keysBody')}>
        {keys.length === 0 ? null : (
          <ul className="mb-6 grid gap-4">
            {keys.map((key) => (
              <Key key={key.id} of={key} />
            ))}
          </ul>
        )}
        {has('next') ? null : (
          <CommandForm hidden={{ intent: 'create' }}>
            <SubmitButton variant="secondary" busyLabel={t('saving')}>
              {t(has('current') ? 'saml.createNext' : 'saml.createKey')}
            </SubmitButton>
          </CommandForm>
        )}
      </Section>
    </PageFrame>
  );
}

function Key({ of: { id, state, fingerprint, notAfter, warning } }: { of: SamlService['keys'][number] }) {
  const { t } = useTranslation('admin');
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 rounded-lg border border-line bg-surface p-4">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold">{t(`saml.states.${state}`)}</h3>
        <p className="mt-1 text-sm">
          {t('saml.fingerprint')} <Digest value={fingerprint} />
        </p>
        <p className="mt-1 text-sm">
          {t(warning === 'expired' ? 'saml.expired' : 'saml.expires')} <RelativeTime at={notAfter} exact />
        </p>
      </div>
      {state === 'current' ? null : (
        <div className="flex flex-wrap gap-2">
          {state === 'next' ? (
            <CommandForm hidden={{ intent: 'use', key: id }}>
              <SubmitButton variant="secondary" size="small">
                {t('saml.useKey')}
              </SubmitButton>
            </CommandForm>
          ) : null}
          <CommandForm hidden={{ intent: 'remove', key: id }}>
            <SubmitButton variant="secondary" size="small">
              {t('signIn.remove')} <span className="sr-only">{t(`saml.states.${state}`)}</span>
            </SubmitButton>
          </CommandForm>
        </div>
      )}
    </li>
  );
}

/** The values to enter at the provider, whole or by the link to our metadata. */
function AtSamlProvider({ service: { entityId, acs, keys } }: { service: SamlService }) {
  const { t } = useTranslation('admin');
  return (
    <Section title={t('signIn.atProvider')} description={t('saml.atProviderBody')}>
      <DescriptionList
        items={[
          { term: t('saml.entityId'), description: <CopiedCode text={entityId} name={t('saml.entityId')} /> },
          { term: t('saml.acs'), description: <CopiedCode text={acs} name={t('saml.acs')} /> },
          {
            term: t('saml.metadata'),
            description: keys.length === 0 ? t('saml.noMetadata') : <CopiedCode text={entityId} name={t('saml.metadata')} />,
          },
          { term: t('saml.nameId'), description: t('saml.nameIds.persistent') },
          { term: t('saml.attributes'), description: <code dir="ltr">email · name · groups</code> },
          { term: t('saml.signature'), description: t('saml.signatureBody') },
        ]}
      />
    </Section>
  );
}

/** A new SAML provider: first what to enter there, then what it says of itself. */
export function NewSamlPage({ loaded: { service, copied }, lastResult }: { loaded: NewSaml; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('admin');
  return (
    <PageFrame title={t('saml.addProvider')} description={t('saml.newBody')} breadcrumbs={useSignInCrumbs()}>
      {copied === null ? null : (
        <Notice kind="info" title={t('saml.replaces', { name: copied.name })}>
          {t('saml.replacesBody')}
        </Notice>
      )}
      <AtSamlProvider service={service} />
      <Section title={t('signIn.configuration')}>
        <SamlProviderForm provider={copied} keeps={false} lastResult={lastResult} />
      </Section>
    </PageFrame>
  );
}
