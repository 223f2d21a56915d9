import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';

/** Everything Quorate knows about one person: to export, and to erase. */
export function DataPage() {
  const { t } = useTranslation('account');
  return (
    <AccountFrame title={t('area.data')} description={t('areaBody.data')}>
      <Section title={t('data.exportTitle')} description={t('data.exportBody')}>
        <a href={href('/dashboard/account/data/export')} download className={buttonClass('primary')}>
          {t('data.export')}
        </a>
      </Section>
      <Section title={t('data.deleteTitle')} description={t('data.deleteBody')}>
        <ButtonLink to={href('/dashboard/account/data/delete')} variant="danger">
          {t('data.delete')}
        </ButtonLink>
      </Section>
    </AccountFrame>
  );
}
