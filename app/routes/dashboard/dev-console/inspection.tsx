import { InspectionPage } from '#app/features/dev-console/inspection-page.tsx';
import { loadInspection } from '#app/features/dev-console/load-inspector.server.ts';
import type { Route } from './+types/inspection';

export const handle = { i18n: ['devConsole', 'runs', 'explanations'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadInspection({ params, context });
}

export default function Inspection({ loaderData }: Route.ComponentProps) {
  return <InspectionPage call={loaderData} />;
}
