import { loadRule } from '#app/features/policies/rules/load-rule.server.ts';
import { ruleAction } from '#app/features/policies/rules/rule-action.server.ts';
import { RuleFormPage } from '#app/features/policies/rules/rule-form.tsx';
import type { Route } from './+types/new-rule';

export const handle = { i18n: ['policies', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadRule({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return ruleAction({ request, params, context });
}

export default function PolicyRule({ loaderData, actionData }: Route.ComponentProps) {
  return <RuleFormPage rule={loaderData} answer={actionData} />;
}
