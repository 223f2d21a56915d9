import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { AskSecondPerson } from '#app/components/form/ask/ask-second-person.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { Tenant } from '#app/features/admin/tenant.server.ts';
import { type TenantAnswer, TenantCheckpoints, TenantNetwork } from '#app/features/admin/tenant-reach.tsx';
import { tenantSchema } from '#app/features/admin/tenant-schema.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

/** `missing`: another person was asked without a reason. */
type Props = { tenant: Tenant; answer: TenantAnswer; missing: boolean };

/** The workspace's name and limits, whom it reaches, and how long its data is kept. */
export function TenantPage({ tenant, answer, missing }: Props) {
  const { t } = useTranslation('admin');
  const { form, fields } = useAppForm(tenantSchema, {
    lastResult: answer?.about === 'settings' ? answer.result : undefined,
    defaultValue: {
      name: tenant.name,
      slug: tenant.slug,
      timeZone: tenant.timeZone,
      keyPace: String(tenant.paces.keys),
      hookPace: String(tenant.paces.hooks),
      runsAtOnce: tenant.runLimits.runsAtOnce === null ? '' : String(tenant.runLimits.runsAtOnce),
      queuedRuns: String(tenant.runLimits.queuedRuns),
    },
  });
  return (
    <PageFrame title={t('area.tenant')} description={t('areaBody.tenant')} breadcrumbs={useAdminCrumbs()}>
      <AppForm form={form}>
        <TextField field={fields.name} label={t('tenant.name')} hint={t('tenant.nameHint')} />
        <TextField field={fields.slug} label={t('tenant.slug')} hint={t('tenant.slugHint')} code />
        <SelectField
          field={fields.timeZone}
          label={t('tenant.timeZone')}
          hint={t('tenant.timeZoneHint')}
          options={tenant.timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
        <NumberField
          field={fields.keyPace}
          label={t('tenant.keyPace')}
          hint={t('tenant.keyPaceHint', { most: tenant.paceCeilings.keys })}
          unit={t('tenant.perMinute')}
        />
        <NumberField
          field={fields.hookPace}
          label={t('tenant.hookPace')}
          hint={t('tenant.hookPaceHint', { most: tenant.paceCeilings.hooks })}
          unit={t('tenant.perMinute')}
        />
        <NumberField
          field={fields.runsAtOnce}
          label={t('tenant.runsAtOnce')}
          hint={
            tenant.runCeilings.runsAtOnce === null
              ? t('tenant.runsAtOnceHint')
              : t('tenant.runsAtOnceMost', { most: tenant.runCeilings.runsAtOnce })
          }
          unit={t('tenant.runs')}
          optional
        />
        <NumberField
          field={fields.queuedRuns}
          label={t('tenant.queuedRuns')}
          hint={t('tenant.queuedRunsHint', { most: tenant.runCeilings.queuedRuns })}
          unit={t('tenant.runs')}
        />
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('tenant.save')}</SubmitButton>
        </div>
      </AppForm>
      <TenantNetwork tenant={tenant} answer={answer} />
      <TenantCheckpoints tenant={tenant} answer={answer} />
      <Review on={tenant.reviewsEffects} asks={tenant.secondPersonAgrees} missing={missing} />
      <Section title={t('kept.title')} description={t('kept.text')}>
        <DescriptionList
          items={[
            { term: t('kept.since'), description: <RelativeTime at={tenant.createdAt} /> },
            { term: t('kept.runs'), description: t('kept.runsText') },
            { term: t('kept.log'), description: t('kept.logText') },
            { term: t('kept.mails'), description: t('kept.mailsText') },
            { term: t('kept.people'), description: t('kept.peopleText') },
            { term: t('kept.limits'), description: t('kept.limitsText') },
          ]}
        />
      </Section>
    </PageFrame>
  );
}

/** Turned on at once; turned off only when another person agrees, where there is one. */
function Review({ on, asks, missing }: { on: boolean; asks: boolean; missing: boolean }) {
  const { t } = useTranslation('admin');
  return (
    <Section title={t('review.title')} description={on ? t('review.on') : t('review.off')}>
      {on && asks ? (
        <AskSecondPerson hidden={{ intent: 'reviewOff' }} submit={t('review.askOff')} missing={missing} />
      ) : (
        <CommandForm hidden={{ intent: on ? 'reviewOff' : 'reviewOn' }}>
          <SubmitButton variant="secondary" busyLabel={t('saving')}>
            {on ? t('review.turnOff') : t('review.turnOn')}
          </SubmitButton>
        </CommandForm>
      )}
    </Section>
  );
}

export function TenantSecretPage({ address, secret }: { address: string; secret: string }) {
  const { t } = useTranslation('admin');
  const crumbs = useAdminCrumbs();
  return (
    <PageFrame
      title={t('secret.title')}
      description={t('secret.text')}
      breadcrumbs={[...crumbs, { label: t('area.tenant'), to: href('/dashboard/admin/tenant') }]}
    >
      <DescriptionList
        items={[
          { term: t('tenant.webhook'), description: <CopiedCode text={address} name={t('tenant.webhook')} /> },
          { term: t('secret.label'), description: <CopiedCode text={secret} name={t('secret.label')} /> },
        ]}
      />
    </PageFrame>
  );
}
