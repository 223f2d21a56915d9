import { AppError } from '#app/domain/errors.ts';
import { downloadWorkflows } from '#app/features/workflows/list/load-list-screen.server.ts';
import type { Route } from './+types/tables';

/** Lists that leave as CSV, by the filters and the order of their addresses. */
const DOWNLOADS = { workflows: downloadWorkflows } as const;

export function loader({ params, context, url }: Route.LoaderArgs) {
  if (!Object.hasOwn(DOWNLOADS, params.list)) throw new AppError('not_found');
  return DOWNLOADS[params.list as keyof typeof DOWNLOADS](context, url);
}
