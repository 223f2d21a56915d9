import { askAction } from '#app/features/audit/exports/ask-action.server.ts';
import { ExportPage } from '#app/features/audit/exports/export-page.tsx';
import { loadExport } from '#app/features/audit/exports/load-export.server.ts';
import type { Route } from './+types/export';

export const handle = { i18n: ['audit', 'control', 'validation'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadExport({ url, context });
}

export function action({ request, url, context }: Route.ActionArgs) {
  return askAction({ request, url, context });
}

export default function Export({ loaderData, actionData }: Route.ComponentProps) {
  return <ExportPage loaded={loaderData} lastResult={actionData} />;
}
