import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { CopiedValue } from '#app/components/form/copied-value.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import type { CreatedHook, NewHookAnswer } from '#app/features/triggers/create-trigger-action.server.ts';
import { deleteTriggerSchema, newScheduleSchema, newWebhookSchema } from '#app/features/triggers/trigger-schemas.ts';

/** Signs a body as Standard Webhooks do, and sends it. */
const SIGNED_CALL = `id=msg_$(openssl rand -hex 12)
t=$(date +%s)
key=$(printf '%s' "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
mac=$(printf '%s.%s.%s' "$id" "$t" "$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -X POST "$address" -H "webhook-id: $id" -H "webhook-timestamp: $t" -H "webhook-signature: v1,$mac" -H 'Content-Type: application/json' -d "$body"`;

type View = { id: string; workflows: readonly { id: string; name: string }[] };
const LIST = href('/dashboard/workflows/advanced');

function useCrumbs() {
  const { t } = useTranslation('triggers');
  return [
    { label: t('workflows'), to: href('/dashboard/workflows') },
    { label: t('title'), to: LIST },
  ];
}

export function NewSchedulePage({ view, lastResult }: { view: View; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('triggers');
  const { timeZone } = useLocale();
  const crumbs = useCrumbs();
  const { form, fields } = useAppForm(newScheduleSchema, {
    lastResult,
    defaultValue: { id: view.id, cron: '0 9 * * mon-fri', timeZone, input: '{}' },
  });
  return (
    <PageFrame title={t('newSchedule')} description={t('newScheduleText')} breadcrumbs={crumbs}>
      <AppForm form={form} className="grid max-w-measure gap-6">
        <input type="hidden" name={fields.id.name} defaultValue={view.id} />
        <TextField field={fields.name} label={t('name')} />
        <SelectField field={fields.workflow} label={t('workflow')} placeholder={t('choose')} options={options(view)} />
        <TextField field={fields.cron} label={t('cron')} hint={t('cronHint')} code />
        <TextField field={fields.timeZone} label={t('timeZone')} hint={t('timeZoneHint')} code />
        <TextAreaField field={fields.input} label={t('input')} hint={t('inputHint')} code optional />
        <Buttons submit={t('createSchedule')} />
      </AppForm>
    </PageFrame>
  );
}

export function NewWebhookPage({ view, answer }: { view: View; answer: NewHookAnswer | undefined }) {
  const { t } = useTranslation('triggers');
  const crumbs = useCrumbs();
  const created = answer?.created ?? null;
  return (
    <PageFrame
      title={created === null ? t('newWebhook') : t('createdTitle')}
      description={created === null ? t('newWebhookText') : undefined}
      breadcrumbs={crumbs}
    >
      {created === null ? <WebhookForm view={view} lastResult={answer?.result} /> : <Created created={created} />}
    </PageFrame>
  );
}

function WebhookForm({ view, lastResult }: { view: View; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('triggers');
  const { form, fields } = useAppForm(newWebhookSchema, { lastResult, defaultValue: { id: view.id } });
  return (
    <AppForm form={form} className="grid max-w-measure gap-6">
      <input type="hidden" name={fields.id.name} defaultValue={view.id} />
      <TextField field={fields.name} label={t('name')} />
      <SelectField field={fields.workflow} label={t('workflow')} placeholder={t('choose')} options={options(view)} />
      <Buttons submit={t('createWebhook')} />
    </AppForm>
  );
}

const options = ({ workflows }: View) => workflows.map(({ id, name }) => ({ value: id, label: name }));

function Buttons({ submit }: { submit: string }) {
  const { t } = useTranslation('triggers');
  return (
    <div className="flex flex-wrap gap-3">
      <SubmitButton busyLabel={t('busy')}>{submit}</SubmitButton>
      <ButtonLink to={LIST} variant="quiet">
        {t('cancel')}
      </ButtonLink>
    </div>
  );
}

function Created({ created }: { created: CreatedHook }) {
  const { t } = useTranslation('triggers');
  return (
    <div className="grid max-w-measure gap-6">
      <Notice kind="ok" live title={t('createdNotice', { name: created.name })}>
        <p>{t('createdText')}</p>
      </Notice>
      <CopiedValue label={t('address')} value={created.address} />
      <CopiedValue label={t('secret')} value={created.secret} />
      <div>
        <p className="mb-1.5 text-sm text-muted">{t('howTo')}</p>
        <CodeBlock code={SIGNED_CALL} name="curl" />
      </div>
      <div>
        <ButtonLink to={LIST} variant="primary">
          {t('stored')}
        </ButtonLink>
      </div>
    </div>
  );
}

export function DeleteTriggerPage({ trigger }: { trigger: { name: string } }) {
  const { t } = useTranslation('triggers');
  const crumbs = useCrumbs();
  const { form } = useAppForm(deleteTriggerSchema);
  return (
    <PageFrame title={t('deleteOf', { name: trigger.name })} description={t('deleteText')} breadcrumbs={crumbs}>
      <AppForm form={form}>
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="danger" busyLabel={t('busy')}>
            {t('delete')}
          </SubmitButton>
          <ButtonLink to={LIST} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
