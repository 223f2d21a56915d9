import { controlChangeAction } from '#app/features/control/control-change-action.server.ts';
import { ControlChangePage } from '#app/features/control/control-change-page.tsx';
import { loadControlChange } from '#app/features/control/load-control-change.server.ts';
import { ExampleTable } from '#app/features/policies/examples/example-table.tsx';
import { ReplayOutcome } from '#app/features/policies/replay/replay-outcome.tsx';
import { VersionDifference } from '#app/features/workflows/publish/version-difference.tsx';
import type { Route } from './+types/change';

export const handle = {
  i18n: ['control', 'members', 'approvals', 'workflows', 'flow', 'policies', 'explanations', 'inputs', 'validation'],
};

export function loader({ params, context }: Route.LoaderArgs) {
  return loadControlChange({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return controlChangeAction({ request, params, context });
}

export default function ControlChange({ loaderData, actionData }: Route.ComponentProps) {
  const { name, resource, difference, replay } = loaderData;
  const version =
    difference === null || difference.kind === 'policy' || difference.version === null ? null : (
      <VersionDifference
        kind={difference.kind}
        id={resource}
        name={name}
        before={difference.before.number}
        after={difference.after.number}
        version={difference.version}
      />
    );
  const examples = difference?.examples ?? [];
  return (
    <ControlChangePage
      change={loaderData}
      version={version}
      examples={examples.length === 0 ? null : <ExampleTable results={examples} />}
      replay={replay === null ? null : <ReplayOutcome replay={replay} />}
      lastResult={actionData}
    />
  );
}
