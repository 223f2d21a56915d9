import { href } from 'react-router';
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
  { id: 'connectTool', slug: 'connect-a-tool', path: href('/dashboard/plugins/new'), permission: 'connect' },
  { id: 'writeWorkflow', slug: 'write-a-workflow', path: href('/dashboard/workflows/new'), permission: 'authorWorkflow' },
  { id: 'startRun', slug: 'start-a-run', path: href('/dashboard/workflows'), permission: 'startRun' },
  { id: 'decideApproval', slug: 'decide-an-approval', path: href('/dashboard/approvals'), permission: 'decideApproval' },
  { id: 'understandFailure', slug: 'understand-a-failure', path: href('/dashboard/runs'), permission: 'startRun' },
  { id: 'writePolicy', slug: 'write-a-policy', path: href('/dashboard/policies/new'), permission: 'authorPolicy' },
  { id: 'proveChange', slug: 'prove-a-change', path: href('/dashboard/audit'), permission: 'exportEvidence' },
  { id: 'inviteMember', slug: 'invite-a-member', path: href('/dashboard/admin/members/invite'), permission: 'manageMembers' },
  { id: 'haltWorkspace', slug: 'halt-the-workspace', path: href('/dashboard/admin/halt'), permission: 'halt' },
  { id: 'useApiKey', slug: 'use-an-api-key', path: href('/dashboard/account/api-keys/new'), permission: 'startRun' },
];
