import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { KIND_WORDS } from '#app/components/data/notification-tone.tsx';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CHANNELS, NOTIFICATION_KINDS, WEBHOOK_FORMATS, type WebhookFormat } from '#app/domain/people/notification-kinds.ts';
import type { NotificationPreferencesView } from '#app/features/notifications/preferences.server.ts';
import { webhookSchema } from '#app/features/notifications/preferences-schema.ts';
import { WatchList } from '#app/features/notifications/watches/watch-list.tsx';

const HINTS = {
  approval: 'hint.approval',
  failure: 'hint.failure',
  quota: 'hint.quota',
  changed_tool: 'hint.changedTool',
  invitation: 'hint.invitation',
  contact: 'hint.contact',
  message: 'hint.message',
  task: 'hint.task',
  watch: 'hint.watch',
  proof: 'hint.proof',
  incident: 'hint.incident',
  review: 'hint.review',
} as const;

const FORMAT_NAMES: Record<WebhookFormat, string> = { json: 'Quorate (JSON)', slack: 'Slack', teams: 'Microsoft Teams' };

export function NotificationPreferences({ view, lastResult }: { view: NotificationPreferencesView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('notifications');
  return (
    <PageFrame
      title={t('preferences.title')}
      description={t('preferences.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/notifications') }]}
    >
      <Section title={t('preferences.whatTitle')}>
        <WantedForm wanted={view.wanted} />
      </Section>
      <Section title={t('watches.title')}>
        <WatchList watches={view.watches} />
      </Section>
      <Section title={t('preferences.webhookTitle')} description={t('preferences.webhookDescription')}>
        <WebhookForm address={view.webhook} format={view.format} lastResult={lastResult} />
      </Section>
    </PageFrame>
  );
}

function WantedForm({ wanted }: { wanted: readonly string[] }) {
  const { t } = useTranslation('notifications');
  const named = useNamed();
  return (
    <Form method="post" className="grid gap-4">
      <WorkspaceInput />
      <input type="hidden" name="form" value="wanted" />
      <ScrollGroup label={t('preferences.caption')} className="max-w-3xl overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{t('preferences.caption')}</caption>
          <thead>
            <tr className="border-b border-edge/60 bg-raised text-xs text-muted">
              <th scope="col" className="px-4 py-2.5 text-start font-semibold">
                {t('preferences.kind')}
              </th>
              {CHANNELS.map((channel) => (
                <th key={channel} scope="col" className="px-1 py-2.5 text-center font-semibold sm:px-3">
                  {t(`channel.${channel}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {NOTIFICATION_KINDS.map((kind) => (
              <tr key={kind} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-4 py-2.5 text-start font-semibold sm:min-w-44">
                  {t(KIND_WORDS[kind])}
                  <span className="hidden font-normal text-muted sm:block">{t(HINTS[kind])}</span>
                </th>
                {CHANNELS.map((channel) => (
                  <td key={channel} className="px-1 text-center sm:px-3">
                    <label className="inline-grid size-11 place-items-center">
                      <span className="sr-only">{named(t(KIND_WORDS[kind]), t(`channel.${channel}`))}</span>
                      <input
                        type="checkbox"
                        name="wanted"
                        value={`${kind}.${channel}`}
                        defaultChecked={wanted.includes(`${kind}.${channel}`)}
                        className="size-5"
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollGroup>
      <div>
        <SubmitButton busyLabel={t('preferences.saving')}>{t('preferences.save')}</SubmitButton>
      </div>
    </Form>
  );
}

function WebhookForm({ address, format, lastResult }: { address: string; format: WebhookFormat; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('notifications');
  const { form, fields } = useAppForm(webhookSchema, { lastResult, defaultValue: { form: 'webhook', address, format }, id: 'webhook' });
  return (
    <AppForm form={form}>
      <input type="hidden" name="form" value="webhook" />
      <TextField field={fields.address} type="url" label={t('preferences.address')} hint={t('preferences.addressHint')} optional />
      <SelectField
        field={fields.format}
        label={t('preferences.format')}
        hint={t('preferences.formatHint')}
        options={WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('preferences.saving')}>{t('preferences.saveAddress')}</SubmitButton>
        {address === '' ? null : (
          <ButtonLink to={href('/dashboard/notifications/preferences/secret')}>{t('preferences.showSecret')}</ButtonLink>
        )}
      </div>
    </AppForm>
  );
}

export function WebhookSecretPage({ address, secret }: { address: string; secret: string }) {
  const { t } = useTranslation('notifications');
  return (
    <PageFrame
      title={t('secret.title')}
      description={t('secret.description')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/notifications') },
        { label: t('preferences.title'), to: href('/dashboard/notifications/preferences') },
      ]}
    >
      <dl className="grid max-w-3xl gap-4 rounded-lg border border-line bg-surface p-4 sm:p-6">
        <div>
          <dt className="text-sm text-muted">{t('preferences.address')}</dt>
          <dd dir="ltr" className="wrap-anywhere rtl:text-end">
            {address}
          </dd>
        </div>
        <div>
          <dt className="text-sm text-muted">{t('secret.label')}</dt>
          <dd dir="ltr" className="font-mono text-sm wrap-anywhere rtl:text-end">
            {secret}
          </dd>
        </div>
      </dl>
    </PageFrame>
  );
}
