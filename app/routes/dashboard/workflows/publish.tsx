import { loadPublishScreen } from '#app/features/workflows/publish/load-publish.server.ts';
import { PublishPage } from '#app/features/workflows/publish/publish-page.tsx';
import { publishAction } from '#app/features/workflows/publish-action.server.ts';
import type { Route } from './+types/publish';

export const handle = { i18n: ['workflows', 'flow', 'control', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadPublishScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return publishAction({ request, params, context });
}

/** Also the answer when publishing was refused, with every place named, or without a reason for whoever agrees. */
export default function WorkflowPublishRoute({ loaderData, actionData }: Route.ComponentProps) {
  const issues = actionData !== undefined && 'issues' in actionData ? actionData.issues : null;
  const missing = actionData !== undefined && 'reasonMissing' in actionData;
  return <PublishPage {...loaderData} issues={issues ?? loaderData.issues} refused={issues !== null} missing={missing} />;
}
