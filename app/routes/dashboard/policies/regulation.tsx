import { loadRegulation } from '#app/features/compliance/load-compliance.server.ts';
import { RegulationPage } from '#app/features/compliance/regulation-page.tsx';
import type { Route } from './+types/regulation';

export const handle = { i18n: ['compliance'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadRegulation(context, params.regulation);
}

export default function Regulation({ loaderData }: Route.ComponentProps) {
  return <RegulationPage regulation={loaderData} />;
}
