import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Tenant } from '#app/features/admin/tenant.server.ts';
import { tenantCheckpointsSchema, tenantNetworkSchema } from '#app/features/admin/tenant-schema.ts';

/** The answer to one of the forms of the page. */
export type TenantAnswer = { about: 'settings' | 'network' | 'checkpoints'; result: FormResult } | undefined;

type Props = { tenant: Tenant; answer: TenantAnswer };

/** The hosts inside that the workspace reaches; not where the instance lists none. */
export function TenantNetwork({ tenant, answer }: Props) {
  const { t } = useTranslation(['admin', 'control']);
  const { form, fields } = useAppForm(tenantNetworkSchema, {
    id: 'network',
    lastResult: answer?.about === 'network' ? answer.result : undefined,
    defaultValue: { privateNetwork: tenant.privateNetwork.join('\n') },
  });
  if (tenant.instanceNetwork.length === 0) return null;
  return (
    <Section title={t('tenant.network')} description={tenant.secondPersonAgrees ? t('tenant.networkAsks') : undefined}>
      <AppForm form={form}>
        <input type="hidden" name="intent" value="network" />
        <TextAreaField
          field={fields.privateNetwork}
          label={t('tenant.networkList')}
          hint={t('tenant.networkHint', { list: tenant.instanceNetwork.join(', ') })}
          code
          optional
        />
        {tenant.secondPersonAgrees ? (
          <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('tenant.networkReason')} rows={3} optional />
        ) : null}
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('tenant.saveNetwork')}</SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}

/** Whom the daily checkpoint is sent to. */
export function TenantCheckpoints({ tenant, answer }: Props) {
  const { t } = useTranslation(['admin', 'control']);
  const { form, fields } = useAppForm(tenantCheckpointsSchema, {
    id: 'checkpoints',
    lastResult: answer?.about === 'checkpoints' ? answer.result : undefined,
    defaultValue: { checkpointMail: tenant.checkpointMail ? 'on' : '', checkpointWebhook: tenant.checkpointWebhook },
  });
  return (
    <Section title={t('tenant.checkpoints')} description={tenant.secondPersonAgrees ? t('tenant.checkpointsAsk') : undefined}>
      <AppForm form={form}>
        <input type="hidden" name="intent" value="checkpoints" />
        <CheckboxField field={fields.checkpointMail} label={t('tenant.mail')} hint={t('tenant.mailHint')} />
        <TextField field={fields.checkpointWebhook} type="url" label={t('tenant.webhook')} hint={t('tenant.webhookHint')} optional />
        {tenant.secondPersonAgrees ? (
          <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('tenant.checkpointsReason')} rows={3} optional />
        ) : null}
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('saving')}>{t('tenant.saveCheckpoints')}</SubmitButton>
          {tenant.checkpointWebhook === '' ? null : (
            <ButtonLink variant="secondary" to={href('/dashboard/admin/tenant/secret')}>
              {t('tenant.showSecret')}
            </ButtonLink>
          )}
        </div>
      </AppForm>
    </Section>
  );
}
