import { loadPublishScreen } from '#app/features/workflows/publish/load-publish.server.ts';
import { PublishPage } from '#app/features/workflows/publish/publish-page.tsx';
import { publishAction } from '#app/features/workflows/publish-action.server.ts';
import type { Route } from './+types/publish';

export const handle = { i18n: ['workflows', 'flow', 'validation'] };

export function loader({ context, params }: Route.LoaderArgs) {
  return loadPublishScreen(context, params.workflow);
}

export function action({ request, params, context }: Route.ActionArgs) {
  return publishAction({ request, params, context });
}

/** Also the answer when publishing was refused, with every place named. */
export default function WorkflowPublishRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <PublishPage {...loaderData} issues={actionData?.issues ?? loaderData.issues} refused={actionData !== undefined} />;
}
