import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode, CopyButton } from '#app/components/value/copy/copied.tsx';
import type { FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import { factorPasswordSchema, factorSetupSchema } from '#app/features/auth/factor/factor-schema.ts';
import type { FactorSettings } from '#app/features/auth/factor/load-factor-settings.server.ts';

/** Sets an authenticator up, renews its recovery codes, takes it away. */
export function FactorSettingsPage({ view, answer }: { view: FactorSettings; answer: FactorAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('factor.title')}
      description={view.backend === 'hosted' ? t('factor.body') : undefined}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.security'), to: href('/dashboard/account/security') },
      ]}
    >
      <Content view={view} answer={answer} />
    </PageFrame>
  );
}

function Content({ view, answer }: { view: FactorSettings; answer: FactorAnswer | undefined }) {
  const { t } = useTranslation('account');
  const resultOf = (form: FactorAnswer['form']) => (answer?.form === form ? answer.result : undefined);
  if (view.backend === 'embedded') {
    return (
      <Notice kind="info" title={t('security.noFactorTitle')}>
        <p>{t('security.noFactorBody')}</p>
      </Notice>
    );
  }
  if (answer?.codes) return <Codes codes={answer.codes} />;
  if (answer?.setup) return <Setup setup={answer.setup} result={answer.result} />;
  if (!view.enrolled)
    return <PasswordForm form="start" label={t('factor.start')} busyLabel={t('factor.starting')} result={resultOf('start')} />;
  return (
    <>
      {view.recovered ? (
        <Notice kind="attention" title={t('factor.recoveredTitle')}>
          <p>{t('factor.recoveredBody')}</p>
        </Notice>
      ) : (
        <Section title={t('factor.codesTitle')} description={t('factor.codesLeft', { count: view.codesLeft })}>
          <PasswordForm form="codes" label={t('factor.renewCodes')} busyLabel={t('saving')} result={resultOf('codes')} />
        </Section>
      )}
      <Section title={t('factor.removeTitle')} description={t('factor.removeBody')}>
        <PasswordForm form="remove" label={t('factor.remove')} busyLabel={t('factor.removing')} result={resultOf('remove')} danger />
      </Section>
    </>
  );
}

function PasswordForm({
  form: name,
  label,
  busyLabel,
  result,
  danger = false,
}: {
  form: FactorAnswer['form'];
  label: string;
  busyLabel: string;
  result: FormResult | undefined;
  danger?: boolean;
}) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(factorPasswordSchema, { lastResult: result, id: name });
  return (
    <AppForm form={form}>
      <input type="hidden" name="form" value={name} />
      <PasswordField field={fields.currentPassword} label={t('security.currentPassword')} autoComplete="current-password" />
      <div>
        <SubmitButton variant={danger ? 'danger' : 'primary'} busyLabel={busyLabel}>
          {label}
        </SubmitButton>
      </div>
    </AppForm>
  );
}

function Setup({ setup, result }: { setup: NonNullable<FactorAnswer['setup']>; result: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(factorSetupSchema, { lastResult: result, id: 'verify' });
  return (
    <div className="grid gap-8">
      <div className="flex flex-wrap items-start gap-8">
        {/* White in the dark too: a camera needs the contrast. */}
        <img
          src={setup.picture}
          alt={t('factor.picture')}
          width={192}
          height={192}
          className="rounded-md border border-line bg-white p-3"
        />
        <div className="max-w-measure">
          <p>{t('factor.scan')}</p>
          <p className="mt-4 text-sm text-muted">{t('factor.secret')}</p>
          <div className="mt-1">
            <CopiedCode text={setup.secret} name={t('factor.secret')} />
          </div>
        </div>
      </div>
      <AppForm form={form}>
        <input type="hidden" name="form" value="verify" />
        <input type="hidden" name="state" value={setup.state} />
        <TextField
          field={fields.code}
          label={t('factor.code')}
          hint={t('factor.codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          code
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('saving')}>{t('factor.turnOn')}</SubmitButton>
          <ButtonLink to={href('/dashboard/account/security')} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </div>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('account');
  return (
    <div className="grid gap-6">
      <Notice kind="ok" live title={t('factor.codesNotice')}>
        <p>{t('factor.codesBody')}</p>
      </Notice>
      <div data-copying="" className="grid max-w-measure justify-items-start gap-2">
        <ul
          dir="ltr"
          aria-label={t('factor.codesTitle')}
          data-copied-text=""
          className="grid w-full gap-2 rounded-md border border-line bg-raised p-4 sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>
              <code className="font-mono text-sm">{code}</code>
              {/* One a line where they are copied. */}
              {'\n'}
            </li>
          ))}
        </ul>
        <CopyButton name={t('factor.codesTitle')} />
      </div>
      <div>
        <ButtonLink to={href('/dashboard/account/security')} variant="primary">
          {t('factor.stored')}
        </ButtonLink>
      </div>
    </div>
  );
}
