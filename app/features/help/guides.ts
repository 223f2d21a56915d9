import type { Permission } from '#app/domain/people/roles.ts';

export const GUIDE_IDS = [
  'connectTool',
  'writeWorkflow',
  'startRun',
  'decideApproval',
  'understandFailure',
  'writePolicy',
  'proveChange',
  'inviteMember',
  'haltWorkspace',
  'useApiKey',
] as const;
export type GuideId = (typeof GUIDE_IDS)[number];
export const GUIDE_STEPS = [1, 2, 3] as const;

/** A guide to one of the commonest tasks. `path`: where the task is done; `permission`: what it takes to do it there. */
export type Guide = { id: GuideId; slug: string; path: string; permission: Permission };

export const GUIDES: readonly Guide[] = [
  { id: 'connectTool', slug: 'connect-a-tool', path: '/dashboard/plugins/new', permission: 'connect' },
  { id: 'writeWorkflow', slug: 'write-a-workflow', path: '/dashboard/workflows/new', permission: 'authorWorkflow' },
  { id: 'startRun', slug: 'start-a-run', path: '/dashboard/workflows', permission: 'startRun' },
  { id: 'decideApproval', slug: 'decide-an-approval', path: '/dashboard/approvals', permission: 'decideApproval' },
  { id: 'understandFailure', slug: 'understand-a-failure', path: '/dashboard/runs', permission: 'startRun' },
  { id: 'writePolicy', slug: 'write-a-policy', path: '/dashboard/policies/new', permission: 'authorPolicy' },
  { id: 'proveChange', slug: 'prove-a-change', path: '/dashboard/audit', permission: 'exportEvidence' },
  { id: 'inviteMember', slug: 'invite-a-member', path: '/dashboard/admin/members/invite', permission: 'manageMembers' },
  { id: 'haltWorkspace', slug: 'halt-the-workspace', path: '/dashboard/admin/halt', permission: 'halt' },
  { id: 'useApiKey', slug: 'use-an-api-key', path: '/dashboard/account/api-keys/new', permission: 'startRun' },
];
