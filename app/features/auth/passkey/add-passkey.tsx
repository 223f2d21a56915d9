import { useTranslation } from 'react-i18next';
import { useSubmit } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { makePasskey } from '#app/components/form/proof/ceremony.ts';
import { PasskeyButton } from '#app/components/form/proof/passkey-button.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import type { ProofWays } from '#app/contracts/identity.ts';
import type { PasskeyAnswer } from '#app/features/auth/passkey/change-passkeys-action.server.ts';
import { addPasskeySchema } from '#app/features/auth/passkey/passkey-schema.ts';

/** Name and proof, and then the button by which the browser makes the passkey. Needs the namespaces account, common and validation. */
export function AddPasskey({ ways, answer }: { ways: ProofWays; answer: PasskeyAnswer | undefined }) {
  if (answer?.setup) return <MakePasskey setup={answer.setup} />;
  return <AddForm ways={ways} answer={answer} />;
}

function AddForm({ ways, answer }: { ways: ProofWays; answer: PasskeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation('common');
  const { form, fields } = useAppForm(addPasskeySchema, { lastResult: answer?.result, id: 'add' });
  return (
    <>
      <noscript>
        <p className="max-w-measure">{common('passkey.noScripts')}</p>
      </noscript>
      <div className="noscript:hidden">
        <AppForm form={form} labels={{ password: t('security.currentPassword') }}>
          <input type="hidden" name="form" value="add" />
          <TextField field={fields.name} label={t('passkeys.name')} hint={t('passkeys.nameHint')} />
          <ProofFields fields={fields} ways={ways} label={t('security.currentPassword')} hint={t('passkeys.proofHint')} />
          <div>
            <SubmitButton busyLabel={t('factor.starting')}>{t('passkeys.begin')}</SubmitButton>
          </div>
        </AppForm>
      </div>
    </>
  );
}

function MakePasskey({ setup }: { setup: NonNullable<PasskeyAnswer['setup']> }) {
  const { t } = useTranslation('account');
  const submit = useSubmit();
  return (
    <div className="grid max-w-measure gap-4">
      <p>{t('passkeys.makeBody')}</p>
      <PasskeyButton
        variant="primary"
        ask={() => makePasskey(setup.options, setup.state)}
        onAnswer={(passkey) => void submit({ form: 'register', name: setup.name, passkey }, { method: 'post' })}
      >
        {t('passkeys.make')}
      </PasskeyButton>
    </div>
  );
}
