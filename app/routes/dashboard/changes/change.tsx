import { controlChangeAction } from '#app/features/control/control-change-action.server.ts';
import { ControlChangePage } from '#app/features/control/control-change-page.tsx';
import { loadControlChange } from '#app/features/control/load-control-change.server.ts';
import { loadVersionReplay } from '#app/features/policies/replay/load-replay.server.ts';
import { ReplayOutcome } from '#app/features/policies/replay/replay-outcome.tsx';
import { VersionDifference } from '#app/features/workflows/publish/version-difference.tsx';
import type { Route } from './+types/change';

export const handle = { i18n: ['control', 'members', 'approvals', 'workflows', 'flow', 'policies', 'explanations', 'validation'] };

/** A policy that waits is shown with what it would have decided on the latest runs. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const loaded = await loadControlChange({ params, context });
  const { status, resource: policy, name, difference } = loaded;
  if (status !== 'pending' || difference?.kind !== 'policy') return { loaded, replay: null };
  const { number } = difference.after;
  return { loaded, replay: await loadVersionReplay(context, { policy, name, number, active: difference.after.status === 'active' }) };
}

export function action({ request, params, context }: Route.ActionArgs) {
  return controlChangeAction({ request, params, context });
}

export default function ControlChange({ loaderData, actionData }: Route.ComponentProps) {
  const { loaded, replay } = loaderData;
  const { name, resource, difference } = loaded;
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
  return (
    <ControlChangePage
      change={loaded}
      version={version}
      replay={replay === null ? null : <ReplayOutcome replay={replay} />}
      lastResult={actionData}
    />
  );
}
