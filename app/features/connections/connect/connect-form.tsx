import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { type FullPlan, PlanLimit } from '#app/components/page/plan-limit.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { connectSchema } from '#app/features/connections/connect/connect-schema.ts';
import { type BuiltinKind, CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';

type Props = {
  kind: BuiltinKind;
  /** Whether servers of this machine may be chosen instead. */
  local?: boolean;
  /** Says that the plan's limit leaves no place for another connection. */
  full?: FullPlan | null;
  /** Where people come back to from a sign-in, as a server that is told of us by hand wants to know. */
  returnAddress?: string;
  lastResult: FormResult | undefined;
};

export function ConnectForm({ kind, local = false, full = null, returnAddress = '', lastResult }: Props) {
  const { t } = useTranslation('connections');
  const { base, words } = CONNECTION_AREAS[kind];
  const { form, fields } = useAppForm(connectSchema, { lastResult });
  return (
    <PageFrame
      title={t(words.connectTitle)}
      description={t(words.connectDescription)}
      breadcrumbs={[{ label: t(words.title), to: href(base) }]}
      actions={local ? <ButtonLink to={href('/dashboard/plugins/local')}>{t('local.open')}</ButtonLink> : undefined}
    >
      <PlanLimit full={full} />
      <AppForm form={form}>
        <TextField field={fields.name} label={t('connect.name')} hint={t('connect.nameHint')} />
        <TextField field={fields.address} label={t('connect.address')} hint={t(words.addressHint)} type="url" />
        <PasswordField field={fields.token} label={t('connect.token')} hint={t('connect.tokenHint')} autoComplete="off" />
        {kind === 'mcp' ? (
          <details open={Boolean(fields.clientId.errors?.length)}>
            <summary className="cursor-pointer py-1 text-link">{t('signIn.client')}</summary>
            <div className="mt-3 grid gap-5">
              <p className="max-w-measure text-muted">
                {t('signIn.clientText')}{' '}
                <code dir="ltr" className="wrap-anywhere">
                  {returnAddress}
                </code>
              </p>
              <TextField field={fields.clientId} label={t('signIn.clientId')} code optional />
              <PasswordField field={fields.clientSecret} label={t('signIn.clientSecret')} autoComplete="off" />
            </div>
          </details>
        ) : null}
        <TextAreaField field={fields.description} label={t('connect.description')} rows={2} optional />
        <div>
          <SubmitButton busyLabel={t('connect.busy')}>{t('connect.submit')}</SubmitButton>
        </div>
      </AppForm>
    </PageFrame>
  );
}
