import { AccessibilityPage } from '#app/features/public/accessibility-page.tsx';

export const handle = { i18n: ['public', 'legal'] };

export default function Accessibility() {
  return <AccessibilityPage />;
}
