import { ChangeRecordPage } from '#app/features/control/change-record-page.tsx';
import { loadChangeRecord } from '#app/features/control/load-change-record.server.ts';
import { VersionDifference } from '#app/features/workflows/publish/version-difference.tsx';
import type { Route } from './+types/record';

export const handle = { i18n: ['control', 'members', 'approvals', 'workflows', 'flow', 'policies', 'explanations'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadChangeRecord({ params, context });
}

export default function ChangeRecord({ loaderData }: Route.ComponentProps) {
  const { name, resource, difference } = loaderData.change;
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
  return <ChangeRecordPage record={loaderData} version={version} />;
}
