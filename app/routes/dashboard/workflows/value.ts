import { AppError } from '#app/domain/errors.ts';
import { previewValue } from '#app/features/workflows/editor/expressions/preview-value.server.ts';
import type { Route } from './+types/value';

/** There is nothing here to read. */
export function loader() {
  throw new AppError('not_found');
}

export function action({ request, params, context }: Route.ActionArgs) {
  return previewValue({ request, params, context });
}
