import { MockingPage } from '#app/features/public/mocking-page.tsx';

export const handle = { i18n: ['public', 'docs', 'mocking'] };

export default function Mocking() {
  return <MockingPage />;
}
