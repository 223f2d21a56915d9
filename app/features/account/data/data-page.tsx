import { useTranslation } from 'react-i18next';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';

/** What Quorate knows of one person: to take along, and to erase. */
export function DataPage() {
  const { t } = useTranslation('account');
  return (
    <AccountFrame title={t('area.data')} description={t('areaBody.data')}>
      <Section title={t('data.exportTitle')} description={t('data.exportBody')}>
        <a href="/dashboard/account/data/export" download className={buttonClass('primary')}>
          {t('data.export')}
        </a>
      </Section>
      <Section title={t('data.deleteTitle')} description={t('data.deleteBody')}>
        <ButtonLink to="/dashboard/account/data/delete" variant="danger">
          {t('data.delete')}
        </ButtonLink>
      </Section>
    </AccountFrame>
  );
}
