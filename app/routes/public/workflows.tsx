import { loadTemplateFlows } from '#app/features/public/load-template-flows.server.ts';
import { WorkflowsPage } from '#app/features/public/workflows-page.tsx';
import type { Route } from './+types/workflows';

export const handle = { i18n: ['public', 'product', 'flow'] };

export function loader({ context }: Route.LoaderArgs) {
  return { flows: loadTemplateFlows(context, ['paymentScreening', 'purchaseRequest']) };
}

export default function Workflows({ loaderData }: Route.ComponentProps) {
  return <WorkflowsPage flows={loaderData.flows} />;
}
