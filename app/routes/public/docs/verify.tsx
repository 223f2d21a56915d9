import { DocsVerifyPage } from '#app/features/public/docs/verify-page.tsx';

export const handle = { i18n: ['public', 'docs'] };

export default function Verify() {
  return <DocsVerifyPage />;
}
