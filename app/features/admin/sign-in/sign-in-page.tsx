import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, CheckboxGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { SignIn } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { SessionRulesSection } from '#app/features/admin/sign-in/session-rules-section.tsx';
import { SignInDomains } from '#app/features/admin/sign-in/sign-in-domains.tsx';
import { signInFormSchema } from '#app/features/admin/sign-in/sign-in-schema.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

/** The answer to one of the forms of the page. */
export type SignInAnswer = { about: 'signIn' | 'domain' | 'sessions'; result: FormResult } | undefined;
type Props = { signIn: SignIn; answer: SignInAnswer };

/** How the people of the workspace sign in by their company's identity provider. */
export function SignInPage({ signIn, answer }: Props) {
  const { t } = useTranslation('admin');
  return (
    <PageFrame title={t('area.signIn')} description={t('areaBody.signIn')} breadcrumbs={useAdminCrumbs()}>
      {signIn.opensSessions ? null : (
        <Notice kind="attention" title={t('signIn.needsKey')}>
          {t('signIn.needsKeyBody')}
        </Notice>
      )}
      {signIn.certificates.map(({ of, id, name, notAfter, warning }) => (
        <Notice key={of} kind="attention" title={t(`saml.warning.${of}`, { name })}>
          {t(warning === 'expired' ? 'saml.expired' : 'saml.expires')} <RelativeTime at={notAfter} exact />{' '}
          <Link
            to={of === 'own' ? href('/dashboard/admin/sign-in/saml') : href('/dashboard/admin/sign-in/:provider', { provider: id })}
            className="text-link"
          >
            {t('saml.warning.see')}
          </Link>
        </Notice>
      ))}
      <Section
        title={t('signIn.atProvider')}
        description={t('signIn.atProviderBody')}
        actions={
          <ButtonLink to={href('/dashboard/admin/sign-in/saml')} variant="secondary" size="small">
            {t('saml.title')}
          </ButtonLink>
        }
      >
        <DescriptionList
          items={[
            { term: t('signIn.redirect'), description: <CopiedCode text={signIn.redirectAddress} name={t('signIn.redirect')} /> },
            { term: t('signIn.logout'), description: <CopiedCode text={signIn.logoutAddress} name={t('signIn.logout')} /> },
          ]}
        />
      </Section>
      <Providers signIn={signIn} />
      <SignInDomains domains={signIn.domains} result={answer?.about === 'domain' ? answer.result : undefined} />
      <Counting signIn={signIn} result={answer?.about === 'signIn' ? answer.result : undefined} />
      <SessionRulesSection signIn={signIn} result={answer?.about === 'sessions' ? answer.result : undefined} />
      <Section title={t('signIn.groups')} description={t('signIn.groupsBody')}>
        <ButtonLink to={href('/dashboard/admin/sign-in/groups')} variant="secondary">
          {t('signIn.editGroups')}
        </ButtonLink>
      </Section>
    </PageFrame>
  );
}

function Providers({ signIn: { providers, counts } }: { signIn: SignIn }) {
  const { t } = useTranslation('admin');
  return (
    <Section
      title={t('signIn.providers')}
      description={t('signIn.providersBody')}
      actions={
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={href('/dashboard/admin/sign-in/new')} variant="secondary" size="small">
            {t('signIn.addProvider')}
          </ButtonLink>
          <ButtonLink to={href('/dashboard/admin/sign-in/new-saml')} variant="secondary" size="small">
            {t('saml.addProvider')}
          </ButtonLink>
        </div>
      }
    >
      <DataTable
        caption={t('signIn.providers')}
        rows={providers}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t('signIn.noProviders')} description={t('signIn.noProvidersBody')} />}
        columns={[
          {
            key: 'name',
            header: t('signIn.name'),
            cell: ({ id, name }) => (
              <Link to={href('/dashboard/admin/sign-in/:provider', { provider: id })} className="text-link">
                <bdi>{name}</bdi>
              </Link>
            ),
          },
          { key: 'issuer', header: t('signIn.issuer'), minor: true, cell: ({ issuer }) => <code dir="ltr">{issuer}</code> },
          {
            key: 'state',
            header: t('signIn.state'),
            cell: ({ id, testedAt }) =>
              id === counts ? (
                t('signIn.stateOn')
              ) : testedAt === null ? (
                t('signIn.stateUntested')
              ) : (
                <>
                  {t('signIn.stateTested')} <RelativeTime at={testedAt} />
                </>
              ),
          },
        ]}
      />
    </Section>
  );
}

/** Which provider counts, whether it must be used, and by whom not. */
function Counting({ signIn, result }: { signIn: SignIn; result: FormResult | undefined }) {
  const { t } = useTranslation(['admin', 'control']);
  const { form, fields } = useAppForm(signInFormSchema, {
    id: 'counting',
    lastResult: result,
    defaultValue: { provider: signIn.counts ?? '', enforced: signIn.enforced ? 'on' : '', exempt: signIn.exempt },
  });
  const tested = signIn.providers.filter(({ id, testedAt }) => testedAt !== null || id === signIn.counts);
  return (
    <Section title={t('signIn.counting')} description={t(signIn.secondPersonAgrees ? 'signIn.countingAsks' : 'signIn.countingBody')}>
      <AppForm form={form}>
        <SelectField
          field={fields.provider}
          label={t('signIn.provider')}
          hint={t('signIn.providerHint')}
          placeholder={t('signIn.off')}
          options={tested.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <CheckboxField field={fields.enforced} label={t('signIn.enforced')} hint={t('signIn.enforcedHint')} />
        <CheckboxGroupField
          field={fields.exempt}
          label={t('signIn.exempt')}
          hint={t('signIn.exemptHint')}
          options={signIn.candidates.map(({ id, name, email }) => ({ value: id, label: name, hint: <bdi>{email}</bdi> }))}
        />
        {signIn.secondPersonAgrees ? (
          <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('control:ask.reasonHint')} rows={3} optional />
        ) : null}
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('signIn.save')}</SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}
