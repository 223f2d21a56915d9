import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldErrors, type FormField } from '#app/components/form/field-parts.tsx';
import { NeedsScripts } from '#app/components/form/proof/needs-scripts.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import type { ProofWays } from '#app/contracts/identity.ts';

const ConfirmByPasskey = lazy(() => import('#app/components/form/proof/confirm-by-passkey.tsx'));

/**
 * By what a person proves that it is them: the strongest that they have. `about`: the act that a passkey confirms, as the server will compare
 * it; left out for what the database asks no proof for. Needs the namespace inputs.
 */
export function ProofFields({
  fields: { password, code, passkey },
  ways,
  about = '',
  label,
  hint,
}: {
  fields: { password: FormField; code: FormField; passkey: FormField };
  ways: ProofWays;
  about?: string;
  label: string;
  hint: ReactNode;
}) {
  const { t } = useTranslation('inputs');
  const [confirmed, setConfirmed] = useState('');
  return (
    <>
      {ways.passkey ? (
        <div id={passkey.id} tabIndex={-1} className="grid max-w-measure gap-1.5">
          <FieldErrors field={passkey} />
          <input type="hidden" name={passkey.name} value={confirmed} />
          {confirmed === '' ? (
            <Suspense fallback={<NeedsScripts />}>
              <ConfirmByPasskey about={about} onAnswer={setConfirmed}>
                {t('proof.confirm')}
              </ConfirmByPasskey>
            </Suspense>
          ) : (
            <p role="status" className="text-sm font-semibold text-ok-ink">
              {t('proof.confirmed')}
            </p>
          )}
        </div>
      ) : null}
      {ways.password && confirmed === '' ? (
        <>
          <PasswordField field={password} label={label} hint={hint} />
          {ways.code ? (
            <TextField
              field={code}
              label={t('proof.code')}
              hint={t('proof.codeHint')}
              inputMode="numeric"
              autoComplete="one-time-code"
              code
            />
          ) : null}
        </>
      ) : null}
    </>
  );
}
