import { CompliancePage } from '#app/features/public/compliance-page.tsx';
import { loadShippedPolicy } from '#app/features/public/load-shipped-policy.server.ts';
import { loadTemplateFlows } from '#app/features/public/load-template-flows.server.ts';
import type { Route } from './+types/compliance';

export const handle = { i18n: ['public', 'product', 'flow'] };

export function loader({ context }: Route.LoaderArgs) {
  return { flows: loadTemplateFlows(context, ['recordsRequest']), policy: loadShippedPolicy() };
}

export default function Compliance({ loaderData }: Route.ComponentProps) {
  return <CompliancePage {...loaderData} />;
}
