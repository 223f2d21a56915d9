import { CompliancePage } from '#app/features/compliance/compliance-page.tsx';
import { loadCompliance } from '#app/features/compliance/load-compliance.server.ts';
import type { Route } from './+types/compliance';

export const handle = { i18n: ['compliance'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadCompliance({ url, context });
}

export default function Compliance({ loaderData }: Route.ComponentProps) {
  return <CompliancePage view={loaderData} />;
}
