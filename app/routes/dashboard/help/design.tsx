import { DesignPage } from '#app/features/help/design-page.tsx';

export const handle = { i18n: ['design', 'flow', 'inputs', 'validation', 'approvals'] };

export default function Design() {
  return <DesignPage />;
}
