import { DocsStartPage } from '#app/features/public/docs/start-page.tsx';

export const handle = { i18n: ['public', 'docs'] };

export default function Start() {
  return <DocsStartPage />;
}
