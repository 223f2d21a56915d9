import { AnalyticsPage } from '#app/features/public/analytics-page.tsx';

export const handle = { i18n: ['public', 'product', 'figures'] };

export default function Analytics() {
  return <AnalyticsPage />;
}
