import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { ROLES } from '#app/contracts/people.ts';
import type { Provider } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { SamlCertificates } from '#app/features/admin/sign-in/saml/saml-certificates.tsx';
import { SamlProviderForm } from '#app/features/admin/sign-in/saml/saml-provider-form.tsx';
import { providerSchema } from '#app/features/admin/sign-in/sign-in-schema.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

/** The way back from a screen below the page of sign-in. */
export function useSignInCrumbs() {
  const { t } = useTranslation('admin');
  return [...useAdminCrumbs(), { label: t('area.signIn'), to: href('/dashboard/admin/sign-in') }];
}

export function NewProviderPage({ lastResult }: { lastResult: FormResult | undefined }) {
  const { t } = useTranslation('admin');
  return (
    <PageFrame title={t('signIn.addProvider')} description={t('signIn.newBody')} breadcrumbs={useSignInCrumbs()}>
      <ProviderForm provider={null} lastResult={lastResult} />
    </PageFrame>
  );
}

/** One provider: tested before it counts, and left as it is while it does. */
export function ProviderPage({ provider, lastResult }: { provider: Provider; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('admin');
  return (
    <PageFrame
      title={provider.name}
      description={<code dir="ltr">{provider.issuer}</code>}
      breadcrumbs={useSignInCrumbs()}
      actions={
        // A link of its own to another site: the router must not fetch it.
        <a href={href('/dashboard/admin/sign-in/:provider/begin-test', { provider: provider.id })} className={buttonClass('primary')}>
          {t('signIn.test')}
        </a>
      }
    >
      <Notice
        kind={provider.counts ? 'ok' : 'info'}
        title={t(provider.counts ? 'signIn.isOn' : provider.testedAt === null ? 'signIn.notTested' : 'signIn.isTested')}
      >
        {t(
          provider.counts
            ? provider.saml === null
              ? 'signIn.isOnBody'
              : 'saml.isOnBody'
            : provider.testedAt === null
              ? 'signIn.notTestedBody'
              : 'signIn.isTestedBody',
        )}
      </Notice>
      {provider.saml === null ? null : <SamlCertificates provider={provider} saml={provider.saml} />}
      {provider.counts ? null : (
        <>
          <Section title={t('signIn.configuration')}>
            {provider.saml === null ? (
              <ProviderForm provider={provider} lastResult={lastResult} />
            ) : (
              <SamlProviderForm provider={provider} keeps lastResult={lastResult} />
            )}
          </Section>
          <Section title={t('signIn.removeProvider')} description={t('signIn.removeProviderBody')}>
            <CommandForm hidden={{ intent: 'remove' }}>
              <SubmitButton variant="danger">{t('signIn.removeProvider')}</SubmitButton>
            </CommandForm>
          </Section>
        </>
      )}
    </PageFrame>
  );
}

function ProviderForm({ provider, lastResult }: { provider: Provider | null; lastResult: FormResult | undefined }) {
  const { t } = useTranslation(['admin', 'members']);
  const { form, fields } = useAppForm(providerSchema, {
    lastResult,
    defaultValue:
      provider === null
        ? { emailClaim: 'email', nameClaim: 'name', groupsClaim: 'groups', defaultRoles: ['user'] }
        : { ...provider, emailsVerified: provider.emailsVerified ? 'on' : '' },
  });
  return (
    <AppForm form={form}>
      <TextField field={fields.name} label={t('signIn.name')} hint={t('signIn.nameHint')} />
      <TextField field={fields.issuer} label={t('signIn.issuer')} hint={t('signIn.issuerHint')} type="url" />
      <TextField field={fields.clientId} label={t('signIn.clientId')} code />
      <PasswordField
        field={fields.clientSecret}
        label={t('signIn.secret')}
        hint={t(provider === null ? 'signIn.secretHint' : 'signIn.secretKeep')}
        autoComplete="off"
      />
      <TextField field={fields.emailClaim} label={t('signIn.emailClaim')} code />
      <TextField field={fields.nameClaim} label={t('signIn.nameClaim')} code />
      <TextField field={fields.groupsClaim} label={t('signIn.groupsClaim')} hint={t('signIn.groupsClaimHint')} code />
      <CheckboxField field={fields.emailsVerified} label={t('signIn.emailsVerified')} hint={t('signIn.emailsVerifiedHint')} />
      <CheckboxGroupField
        field={fields.defaultRoles}
        label={t('signIn.defaultRoles')}
        hint={t('signIn.defaultRolesHint')}
        options={ROLES.map((role) => ({ value: role, label: t(`members:role.${role}`) }))}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('saving')}>{t('signIn.saveProvider')}</SubmitButton>
        <ButtonLink to={href('/dashboard/admin/sign-in')} variant="quiet">
          {t('cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}
