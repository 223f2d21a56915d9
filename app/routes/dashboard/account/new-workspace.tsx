import { membershipsContext, servicesContext } from '#app/contracts/request-context.ts';
import { mayFound } from '#app/domain/people/registration.ts';
import { createWorkspaceAction } from '#app/features/account/create-workspace-action.server.ts';
import { NewWorkspacePage } from '#app/features/account/new-workspace-page.tsx';
import type { Route } from './+types/new-workspace';

export const handle = { i18n: ['account', 'validation'] };

export function loader({ context }: Route.LoaderArgs) {
  return { founds: mayFound(context.get(servicesContext).founders, context.get(membershipsContext)) };
}

export function action(args: Route.ActionArgs) {
  return createWorkspaceAction(args);
}

export default function NewWorkspace({ loaderData, actionData }: Route.ComponentProps) {
  return <NewWorkspacePage founds={loaderData.founds} lastResult={actionData} />;
}
