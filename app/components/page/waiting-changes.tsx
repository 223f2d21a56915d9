import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import type { ControlKind } from '#app/contracts/statuses.ts';

type Row = { id: string; kind: ControlKind; name: string; requestedBy: string; createdAt: string };

const TITLES = {
  policy_publish: 'waitingChanges.policyPublish',
  policy_pause: 'waitingChanges.policyPause',
  policy_activate: 'waitingChanges.policyActivate',
  member_roles: 'waitingChanges.memberRoles',
  member_remove: 'waitingChanges.memberRemove',
  workflow_publish: 'waitingChanges.workflowPublish',
  agent_publish: 'waitingChanges.agentPublish',
  workspace_settings: 'waitingChanges.workspaceSettings',
  workspace_proof: 'waitingChanges.workspaceProof',
  workspace_network: 'waitingChanges.workspaceNetwork',
  workspace_checkpoints: 'waitingChanges.workspaceCheckpoints',
  workspace_sign_in: 'waitingChanges.workspaceSignIn',
  workspace_groups: 'waitingChanges.workspaceGroups',
  workspace_sessions: 'waitingChanges.workspaceSessions',
  connection_approve: 'waitingChanges.connectionApprove',
  connection_permits: 'waitingChanges.connectionPermits',
  connection_credential: 'waitingChanges.connectionCredential',
  inventory_risk: 'waitingChanges.inventoryRisk',
  evidence_export: 'waitingChanges.evidenceExport',
} as const satisfies Record<ControlKind, string>;

/** Control changes that need the reader's agreement. Needs the namespace shell. */
export function WaitingChanges({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('shell');
  if (rows.length === 0) return null;
  return (
    <DataTable
      caption={t('waitingChanges.title')}
      rows={rows}
      rowKey={(row) => row.id}
      empty={null}
      columns={[
        {
          key: 'name',
          header: t('waitingChanges.title'),
          cell: (row) => (
            <Link to={href('/dashboard/changes/:change', { change: row.id })} className="text-link">
              <bdi>{t(TITLES[row.kind], { name: row.name || '–' })}</bdi>
            </Link>
          ),
        },
        { key: 'by', header: t('waitingChanges.by'), cell: (row) => <bdi>{row.requestedBy || '–'}</bdi> },
        { key: 'at', header: t('waitingChanges.at'), cell: (row) => <RelativeTime at={row.createdAt} /> },
      ]}
    />
  );
}
