import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { Avatar } from '#app/components/data/avatar.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import { nameSchema } from '#app/features/account/account-schemas.ts';
import type { ProfileView } from '#app/features/account/profile/load-profile.server.ts';

/** One's name and picture. */
export function ProfilePage({ view, lastResult }: { view: ProfileView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(nameSchema, { lastResult, defaultValue: { name: view.name } });
  return (
    <AccountFrame title={t('area.profile')} description={t('areaBody.profile')}>
      <div className="mb-8 flex flex-wrap items-center gap-6">
        <Avatar name={view.name} picture={view.picture} size="large" />
        <ButtonLink to={href('/dashboard/account/profile/picture')}>
          {view.picture === null ? t('picture.add') : t('picture.change')}
        </ButtonLink>
      </div>
      <AppForm form={form}>
        <TextField field={fields.name} label={t('name')} hint={t('nameHint')} autoComplete="name" />
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('saveName')}</SubmitButton>
        </div>
      </AppForm>
    </AccountFrame>
  );
}
