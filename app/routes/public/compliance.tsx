import { CompliancePage } from '#app/features/public/compliance-page.tsx';
import { loadTemplateFlows } from '#app/features/public/load-template-flows.server.ts';
import type { Route } from './+types/compliance';

export const handle = { i18n: ['public', 'product', 'flow'] };

export function loader({ context }: Route.LoaderArgs) {
  return { flows: loadTemplateFlows(context, ['recordsRequest']) };
}

export default function Compliance({ loaderData }: Route.ComponentProps) {
  return <CompliancePage flows={loaderData.flows} />;
}
