import { downloadSubject } from '#app/features/approvals/load-approval.server.ts';
import type { Route } from './+types/subject';

export function loader({ params, context }: Route.LoaderArgs) {
  return downloadSubject({ params, context });
}
