import { AppError } from '#app/domain/errors.ts';
import { keepColumns } from '#app/features/lists/keep-columns-action.server.ts';
import type { Route } from './+types/columns';

/** There is nothing here to read. */
export function loader() {
  throw new AppError('not_found');
}

export function action({ request, context }: Route.ActionArgs) {
  return keepColumns({ request, context });
}
