import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import { nameSchema } from '#app/features/account/account-schemas.ts';
import type { AccountView } from '#app/features/account/load-account.server.ts';

/** How one is called. */
export function ProfilePage({ view, lastResult }: { view: AccountView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(nameSchema, { lastResult, defaultValue: { name: view.name } });
  return (
    <AccountFrame title={t('area.profile')} description={t('areaBody.profile')}>
      <AppForm form={form}>
        <TextField field={fields.name} label={t('name')} hint={t('nameHint')} autoComplete="name" />
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('saveName')}</SubmitButton>
        </div>
      </AppForm>
    </AccountFrame>
  );
}
