import { loadProcessOptimization } from '#app/features/reasoning/load-process.server.ts';
import { ProcessOptimizationPage } from '#app/features/reasoning/process-optimization-page.tsx';
import type { Route } from './+types/process-optimization';

export const handle = { i18n: ['reasoning', 'figures'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadProcessOptimization({ url, context });
}

export default function ProcessOptimization({ loaderData }: Route.ComponentProps) {
  return <ProcessOptimizationPage {...loaderData} />;
}
