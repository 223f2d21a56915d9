import { WorkflowsPage } from '#app/features/public/workflows-page.tsx';

export const handle = { i18n: ['public', 'product'] };

export default function Workflows() {
  return <WorkflowsPage />;
}
