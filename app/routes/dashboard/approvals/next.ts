import { goToNextApproval } from '#app/features/approvals/desk/go-to-next-approval.server.ts';
import type { Route } from './+types/next';

export function loader({ context }: Route.LoaderArgs) {
  return goToNextApproval(context);
}
