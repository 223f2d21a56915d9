import { useTranslation } from 'react-i18next';
import { LanguageForm } from '#app/components/look/preference-forms.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { AccessibilityForms } from '#app/features/appearance/accessibility-forms.tsx';
import { ChoiceCards, DensityPreview, ThemePreview } from '#app/features/appearance/choice-cards.tsx';

/** How the product looks and behaves to whoever is signed in. Every choice is a form and takes effect at once. */
export function AppearancePage() {
  const { t } = useTranslation(['appearance', 'common']);
  return (
    <PageFrame title={t('title')} description={t('description')}>
      <Section title={t('common:theme.label')} description={t('themeBody')}>
        <ChoiceCards
          name="theme"
          label={t('common:theme.label')}
          choices={[
            { value: 'light', label: t('common:theme.light'), preview: <ThemePreview schemes={['light']} /> },
            { value: 'dark', label: t('common:theme.dark'), preview: <ThemePreview schemes={['dark']} /> },
            { value: 'system', label: t('common:theme.system'), preview: <ThemePreview schemes={['light', 'dark']} /> },
          ]}
        />
      </Section>
      <Section title={t('density')} description={t('densityBody')}>
        <ChoiceCards
          name="density"
          label={t('density')}
          choices={[
            { value: 'comfortable', label: t('comfortable'), preview: <DensityPreview rows={4} /> },
            { value: 'compact', label: t('compact'), preview: <DensityPreview rows={6} /> },
          ]}
        />
      </Section>
      <Section title={t('accessibility')} description={t('accessibilityBody')}>
        <AccessibilityForms />
      </Section>
      <Section title={t('common:language.label')}>
        <div className="max-w-xs">
          <LanguageForm />
        </div>
      </Section>
    </PageFrame>
  );
}
