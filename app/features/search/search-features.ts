import { href } from 'react-router';
import type { Permission } from '#app/domain/people/roles.ts';

/** Things that people do and where: a key `feature.<id>` of the namespace `search`, and the permission it needs. */
export type SearchFeature = { id: FeatureId; path: string; permission?: Permission };

const FEATURE_IDS = [
  'createWorkflow',
  'templates',
  'triggers',
  'runs',
  'connectTool',
  'localTools',
  'connectAgent',
  'createAgent',
  'createPolicy',
  'checkpoints',
  'packs',
  'proof',
  'members',
  'invite',
  'health',
  'contactRequests',
  'notificationPreferences',
  'deliveries',
  'profile',
  'preferences',
  'sessions',
  'decisions',
  'inspector',
  'shortcuts',
  'design',
  'signOut',
] as const;
export type FeatureId = (typeof FEATURE_IDS)[number];

export const SEARCH_FEATURES: readonly SearchFeature[] = [
  { id: 'createWorkflow', path: href('/dashboard/workflows/new'), permission: 'authorWorkflow' },
  { id: 'templates', path: href('/dashboard/workflows/templates'), permission: 'authorWorkflow' },
  { id: 'triggers', path: href('/dashboard/workflows/advanced'), permission: 'authorWorkflow' },
  { id: 'runs', path: href('/dashboard/runs') },
  { id: 'connectTool', path: href('/dashboard/plugins/new'), permission: 'connect' },
  { id: 'localTools', path: href('/dashboard/plugins/local'), permission: 'connect' },
  { id: 'connectAgent', path: href('/dashboard/agents/new'), permission: 'connect' },
  { id: 'createAgent', path: href('/dashboard/agents/authored/new'), permission: 'authorWorkflow' },
  { id: 'createPolicy', path: href('/dashboard/policies/new'), permission: 'authorPolicy' },
  { id: 'checkpoints', path: href('/dashboard/audit/checkpoints') },
  { id: 'packs', path: href('/dashboard/audit/packs'), permission: 'exportEvidence' },
  { id: 'proof', path: href('/dashboard/audit/proof'), permission: 'readAuditLog' },
  { id: 'members', path: href('/dashboard/admin/members') },
  { id: 'invite', path: href('/dashboard/admin/members/invite'), permission: 'manageMembers' },
  { id: 'health', path: href('/dashboard/admin/health') },
  { id: 'contactRequests', path: href('/dashboard/admin/contact-requests'), permission: 'manageMembers' },
  { id: 'notificationPreferences', path: href('/dashboard/notifications/preferences') },
  { id: 'deliveries', path: href('/dashboard/notifications/deliveries'), permission: 'readAuditLog' },
  { id: 'profile', path: href('/dashboard/account/profile') },
  { id: 'preferences', path: href('/dashboard/account/preferences') },
  { id: 'sessions', path: href('/dashboard/account/sessions') },
  { id: 'decisions', path: href('/dashboard/ai-reasoning') },
  { id: 'inspector', path: href('/dashboard/dev-console/inspector'), permission: 'authorWorkflow' },
  { id: 'shortcuts', path: `${href('/dashboard/help')}?q=Ctrl` },
  { id: 'design', path: href('/dashboard/help/design') },
  { id: 'signOut', path: href('/auth/sign-out') },
];
