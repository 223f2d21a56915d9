import type { Permission } from '#app/domain/people/roles.ts';

/** What one can do, and where: a key `feature.<id>` of the namespace `search`, and who may. */
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
  { id: 'createWorkflow', path: '/dashboard/workflows/new', permission: 'authorWorkflow' },
  { id: 'templates', path: '/dashboard/workflows/templates', permission: 'authorWorkflow' },
  { id: 'triggers', path: '/dashboard/workflows/advanced', permission: 'authorWorkflow' },
  { id: 'runs', path: '/dashboard/runs' },
  { id: 'connectTool', path: '/dashboard/plugins/new', permission: 'connect' },
  { id: 'localTools', path: '/dashboard/plugins/local', permission: 'connect' },
  { id: 'connectAgent', path: '/dashboard/agents/new', permission: 'connect' },
  { id: 'createAgent', path: '/dashboard/agents/authored/new', permission: 'authorWorkflow' },
  { id: 'createPolicy', path: '/dashboard/policies/new', permission: 'authorPolicy' },
  { id: 'checkpoints', path: '/dashboard/audit/checkpoints' },
  { id: 'members', path: '/dashboard/admin/members' },
  { id: 'invite', path: '/dashboard/admin/members/invite', permission: 'manageMembers' },
  { id: 'health', path: '/dashboard/admin/health' },
  { id: 'contactRequests', path: '/dashboard/admin/contact-requests', permission: 'manageMembers' },
  { id: 'notificationPreferences', path: '/dashboard/notifications/preferences' },
  { id: 'deliveries', path: '/dashboard/notifications/deliveries', permission: 'readAuditLog' },
  { id: 'profile', path: '/dashboard/account/profile' },
  { id: 'preferences', path: '/dashboard/account/preferences' },
  { id: 'sessions', path: '/dashboard/account/sessions' },
  { id: 'decisions', path: '/dashboard/ai-reasoning' },
  { id: 'inspector', path: '/dashboard/dev-console/inspector', permission: 'authorWorkflow' },
  { id: 'shortcuts', path: '/dashboard/help?q=Ctrl' },
  { id: 'design', path: '/dashboard/help/design' },
  { id: 'signOut', path: '/auth/sign-out' },
];
