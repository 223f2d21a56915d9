import { assessAgentAction, loadAssessment } from '#app/features/agents/assessment/assessment.server.ts';
import { AssessmentPage } from '#app/features/agents/assessment/assessment-page.tsx';
import type { Route } from './+types/assessment';

export const handle = { i18n: ['inventory', 'validation'] };

export function loader({ context, params, url }: Route.LoaderArgs) {
  return loadAssessment(context, params.agent, url);
}

export function action(args: Route.ActionArgs) {
  return assessAgentAction(args);
}

export default function Assessment({ loaderData, actionData }: Route.ComponentProps) {
  return <AssessmentPage loaded={loaderData} lastResult={actionData} />;
}
