import { DocsConnectPage } from '#app/features/public/docs/connect-page.tsx';

export const handle = { i18n: ['public', 'docs'] };

export default function Connect() {
  return <DocsConnectPage />;
}
