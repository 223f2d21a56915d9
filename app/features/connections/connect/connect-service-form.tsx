import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { connectServiceSchemas } from '#app/features/connections/connect/connect-service-schema.ts';
import { serviceOptions } from '#app/features/connections/connect/service-names.ts';
import { CONNECTION_AREAS, type ServiceKind } from '#app/features/connections/connection-area.ts';

/** The form that connects a provider of models or another service. */
export function ConnectServiceForm({ kind, lastResult }: { kind: ServiceKind; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('connections');
  const { base, words } = CONNECTION_AREAS[kind];
  const { form, fields } = useAppForm(connectServiceSchemas[kind], { lastResult });
  return (
    <PageFrame
      title={t(words.connectTitle)}
      description={t(words.connectDescription)}
      breadcrumbs={[{ label: t(words.title), to: href(base) }]}
    >
      <AppForm form={form}>
        <TextField field={fields.name} label={t('connect.name')} hint={t('connect.nameHint')} />
        <SelectField
          field={fields.service}
          label={t(words.service)}
          placeholder={t('connect.chooseService')}
          options={serviceOptions(t, kind)}
        />
        <TextField
          field={fields.address}
          label={t('connect.address')}
          hint={t(words.addressHint)}
          type="url"
          {...(kind === 'model' ? { optional: true } : {})}
        />
        <PasswordField field={fields.token} label={t('connect.key')} hint={t(words.tokenHint)} autoComplete="off" />
        <TextAreaField field={fields.description} label={t('connect.description')} rows={2} optional />
        <div>
          <SubmitButton busyLabel={t('connect.busy')}>{t('connect.submit')}</SubmitButton>
        </div>
      </AppForm>
    </PageFrame>
  );
}
