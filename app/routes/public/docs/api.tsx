import { DocsApiPage } from '#app/features/public/docs/api-page.tsx';

export const handle = { i18n: ['public', 'docs'] };

export default function Api() {
  return <DocsApiPage />;
}
