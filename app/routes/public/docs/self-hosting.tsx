import { DocsSelfHostingPage } from '#app/features/public/docs/self-hosting-page.tsx';

export const handle = { i18n: ['public', 'docs'] };

export default function SelfHosting() {
  return <DocsSelfHostingPage />;
}
