import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CopiedValue } from '#app/components/form/copied-value.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ProvisioningView } from '#app/features/provisioning/load-provisioning.server.ts';
import { GroupsTable, PeopleTable, RefusalsTable } from '#app/features/provisioning/provisioned-tables.tsx';
import { TokensTable } from '#app/features/provisioning/tokens-table.tsx';

/** Where a company's directory provisions the workspace: address, tokens, how to set it up, and what came by it. */
export function ProvisioningPage({ view }: { view: ProvisioningView }) {
  const { t } = useTranslation('provisioning');
  const { t: admin } = useTranslation('admin');
  return (
    <PageFrame
      wide
      title={t('title')}
      description={t('description')}
      breadcrumbs={[{ label: admin('title'), to: href('/dashboard/admin') }]}
      actions={
        <ButtonLink to={href('/dashboard/admin/provisioning/new')} variant="primary">
          {t('make')}
        </ButtonLink>
      }
    >
      <div className="grid gap-2">
        <CopiedValue label={t('address')} value={view.address} />
        <p className="max-w-measure text-sm text-muted">{t('addressText')}</p>
      </div>
      <Section
        title={t('tokens')}
        description={
          <>
            <p>{t('tokensText')}</p>
            {view.tokens.some(({ control }) => control === 'waits') ? <p className="mt-2">{t('confirmText')}</p> : null}
          </>
        }
      >
        <TokensTable tokens={view.tokens} />
      </Section>
      <Section title={t('people')} description={view.count === 0 ? undefined : t('peopleText', { count: view.count })}>
        <PeopleTable people={view.people} />
      </Section>
      <Section title={t('groups')} description={t('groupsText')}>
        <GroupsTable groups={view.groups} />
      </Section>
      <Section title={t('refusals')} description={t('refusalsText')}>
        <RefusalsTable refusals={view.refusals} />
      </Section>
      <Section title={t('setup')} description={t('note')}>
        <div className="grid gap-8 md:grid-cols-2">
          <Steps title={t('entra')} steps={[t('entra1'), t('entra2'), t('entra3')]} />
          <Steps title={t('okta')} steps={[t('okta1'), t('okta2'), t('okta3')]} />
        </div>
      </Section>
    </PageFrame>
  );
}

function Steps({ title, steps }: { title: string; steps: readonly string[] }) {
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <ol className="mt-2 grid max-w-measure list-decimal gap-2 ps-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
