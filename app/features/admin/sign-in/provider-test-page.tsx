import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { useSignInCrumbs } from '#app/features/admin/sign-in/provider-page.tsx';
import type { ProviderTest } from '#app/features/admin/sign-in/provider-test.server.ts';

/** The claims of a test sign-in, for the admin's own look. */
export function ProviderTestPage({ test: { provider, failed, result } }: { test: ProviderTest }) {
  const { t } = useTranslation(['admin', 'auth']);
  const formats = useFormats();
  const again = (
    <a href={href('/dashboard/admin/sign-in/:provider/begin-test', { provider: provider.id })} className={buttonClass('secondary')}>
      {t(result === null && failed === null ? 'signIn.test' : 'signIn.testAgain')}
    </a>
  );
  return (
    <PageFrame
      title={t('signIn.testTitle', { name: provider.name })}
      description={t('signIn.testBody')}
      breadcrumbs={[
        ...useSignInCrumbs(),
        { label: provider.name, to: href('/dashboard/admin/sign-in/:provider', { provider: provider.id }) },
      ]}
      actions={again}
    >
      {failed === null ? null : (
        <Notice kind="danger" title={t('signIn.testFailed')} live>
          {t(`auth:company.failed.${failed === 'nonce' ? 'token' : failed}`)}
        </Notice>
      )}
      {result === null ? null : (
        <>
          <Section title={t('signIn.person')} description={t('signIn.personBody')}>
            <DescriptionList
              items={[
                { term: t('signIn.subject'), description: <bdi>{result.subject}</bdi> },
                { term: t('signIn.email'), description: result.person.email === null ? t('none') : <bdi>{result.person.email}</bdi> },
                { term: t('signIn.emailVerified'), description: t(result.person.verified ? 'signIn.yes' : 'signIn.no') },
                { term: t('signIn.personName'), description: result.person.name === '' ? t('none') : <bdi>{result.person.name}</bdi> },
                {
                  term: t('signIn.personGroups'),
                  description: result.person.groups === null ? t('signIn.noGroups') : formats.list(result.person.groups),
                },
              ]}
            />
            <CommandForm hidden={{ result: result.secret }} className="mt-6">
              <SubmitButton busyLabel={t('saving')}>{t('signIn.confirmTest')}</SubmitButton>
            </CommandForm>
          </Section>
          <Section title={t('signIn.claims')}>
            <DataTable
              caption={t('signIn.claims')}
              rows={result.claims}
              rowKey={({ name }) => name}
              empty={null}
              columns={[
                { key: 'name', header: t('signIn.claim'), cell: ({ name }) => <code dir="ltr">{name}</code> },
                { key: 'value', header: t('signIn.value'), cell: ({ value }) => <bdi className="wrap-anywhere">{value}</bdi> },
              ]}
            />
          </Section>
        </>
      )}
    </PageFrame>
  );
}
