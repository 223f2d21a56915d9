import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { Breadcrumb } from '#app/components/page/page-frame.tsx';

/** The way back to the admin home. */
export function useAdminCrumbs(): Breadcrumb[] {
  const { t } = useTranslation('admin');
  return [{ label: t('title'), to: href('/dashboard/admin') }];
}
