import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { ThemeForm } from '#app/components/look/preference-forms.tsx';
import { Section } from '#app/components/page/section.tsx';
import { LANGUAGE_NAMES, LANGUAGES } from '#app/domain/web/languages.ts';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import { preferencesSchema } from '#app/features/account/account-schemas.ts';
import type { PreferencesView } from '#app/features/account/load-preferences.server.ts';

/** Language and time zone of one person, wherever they sign in. */
export function PreferencesPage({ view, lastResult }: { view: PreferencesView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(preferencesSchema, {
    lastResult,
    defaultValue: { language: view.language, timeZone: view.timeZone },
  });
  return (
    <AccountFrame title={t('area.preferences')} description={t('areaBody.preferences')}>
      <AppForm form={form}>
        <SelectField
          field={fields.language}
          label={t('preferences.language')}
          options={LANGUAGES.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
        />
        <SelectField
          field={fields.timeZone}
          label={t('preferences.timeZone')}
          hint={t('preferences.timeZoneHint')}
          placeholder={t('preferences.browserZone')}
          options={view.timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('preferences.save')}</SubmitButton>
        </div>
      </AppForm>
      <Section title={t('preferences.notificationsTitle')}>
        <Link to={href('/dashboard/notifications/preferences')} className="text-link inline-block py-1">
          {t('preferences.notifications')}
        </Link>
      </Section>
      <Section title={t('preferences.theme')}>
        <div className="max-w-xs">
          <ThemeForm />
        </div>
      </Section>
    </AccountFrame>
  );
}
