import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import { factorPasswordSchema, factorSetupSchema } from '#app/features/auth/factor/factor-schema.ts';

/** A form of the password alone; `form` names it. */
export function PasswordForm({
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

/** What the app scans, and the field for its first code. */
export function FactorSetup({
  setup,
  result,
  cancel,
}: {
  setup: NonNullable<FactorAnswer['setup']>;
  result: FormResult | undefined;
  cancel: string;
}) {
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
          <ButtonLink to={cancel} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </div>
  );
}
