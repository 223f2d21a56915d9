import { ComparePage } from '#app/features/runs/compare/compare-page.tsx';
import { loadComparison } from '#app/features/runs/compare/load-comparison.server.ts';
import type { Route } from './+types/compare';

export const handle = { i18n: ['runs'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadComparison(context, params.run, url);
}

export default function RunCompareRoute({ loaderData }: Route.ComponentProps) {
  return <ComparePage {...loaderData} />;
}
