import { createWorkspaceAction } from '#app/features/account/create-workspace-action.server.ts';
import { NewWorkspacePage } from '#app/features/account/new-workspace-page.tsx';
import type { Route } from './+types/new-workspace';

export const handle = { i18n: ['account', 'validation'] };

export function action(args: Route.ActionArgs) {
  return createWorkspaceAction(args);
}

export default function NewWorkspace({ actionData }: Route.ComponentProps) {
  return <NewWorkspacePage lastResult={actionData} />;
}
