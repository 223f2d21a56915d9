import type { TFunction } from 'i18next';
import type { ControlKind } from '#app/contracts/statuses.ts';

const TITLES = {
  policy_publish: 'title.policyPublish',
  policy_pause: 'title.policyPause',
  policy_activate: 'title.policyActivate',
  member_roles: 'title.memberRoles',
  member_remove: 'title.memberRemove',
  workflow_publish: 'title.workflowPublish',
  agent_publish: 'title.agentPublish',
  workspace_settings: 'title.workspaceSettings',
  workspace_proof: 'title.workspaceProof',
  workspace_network: 'title.workspaceNetwork',
  workspace_checkpoints: 'title.workspaceCheckpoints',
  workspace_sign_in: 'title.workspaceSignIn',
  workspace_groups: 'title.workspaceGroups',
  workspace_sessions: 'title.workspaceSessions',
  connection_approve: 'title.connectionApprove',
  connection_permits: 'title.connectionPermits',
  connection_credential: 'title.connectionCredential',
  inventory_risk: 'title.inventoryRisk',
  evidence_export: 'title.evidenceExport',
} as const satisfies Record<ControlKind, string>;

/** A control change in one line. Needs the namespace control. */
export function changeTitle({ kind, name }: { kind: ControlKind; name: string }, t: TFunction<'control'>): string {
  return t(TITLES[kind], { name: name === '' ? t('gone') : name });
}
