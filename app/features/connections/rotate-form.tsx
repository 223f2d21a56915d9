import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { rotateSchema } from '#app/features/connections/rotate-schema.ts';

/** A new key in the place of the old one. */
export function RotateForm({
  connection,
  lastResult,
}: {
  /** `asks`: another person agrees to the new key. */
  connection: { kind: ConnectionKind; id: string; name: string; asks: boolean };
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation(['connections', 'control']);
  const { base, words } = CONNECTION_AREAS[connection.kind];
  const { form, fields } = useAppForm(rotateSchema, { lastResult });
  const back = href(`${base}/:connection`, { connection: connection.id });
  return (
    <PageFrame
      title={t('rotate.title', { name: connection.name })}
      description={connection.asks ? t('rotate.askText') : t('rotate.text')}
      breadcrumbs={[
        { label: t(words.title), to: href(base) },
        { label: connection.name, to: back },
      ]}
    >
      <AppForm form={form}>
        <PasswordField field={fields.token} label={t('rotate.key')} hint={t('rotate.keyHint')} autoComplete="off" />
        {connection.asks ? (
          <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('control:ask.reasonHint')} rows={3} />
        ) : null}
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('page.checking')}>{connection.asks ? t('rotate.ask') : t('rotate.submit')}</SubmitButton>
          <ButtonLink variant="secondary" to={back}>
            {t('disconnect.keep')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
