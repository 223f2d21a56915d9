import { CompliancePage } from '#app/features/public/compliance-page.tsx';

export const handle = { i18n: ['public', 'product'] };

export default function Compliance() {
  return <CompliancePage />;
}
