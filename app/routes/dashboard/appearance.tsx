import { AppearancePage } from '#app/features/appearance/appearance-page.tsx';

export const handle = { i18n: ['appearance'] };

export default function AppearanceRoute() {
  return <AppearancePage />;
}
