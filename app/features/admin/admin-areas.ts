import type { Permission } from '#app/domain/people/roles.ts';

/**
 * What an administrator rules by, in the order of the admin home. `permission`: who finds it there; without one, everybody. `operator`: in the
 * workspace that runs the instance alone.
 */
export const ADMIN_AREAS = [
  { key: 'tenant', to: '/dashboard/admin/tenant', permission: 'manageMembers' },
  { key: 'members', to: '/dashboard/admin/members' },
  { key: 'apiKeys', to: '/dashboard/admin/api-keys', permission: 'manageMembers' },
  { key: 'billing', to: '/dashboard/admin/billing', permission: 'manageMembers' },
  { key: 'security', to: '/dashboard/admin/security', permission: 'readAuditLog' },
  { key: 'health', to: '/dashboard/admin/health' },
  { key: 'monitoring', to: '/dashboard/admin/monitoring', permission: 'readAuditLog' },
  { key: 'performance', to: '/dashboard/admin/performance', permission: 'seeAllRuns' },
  { key: 'halt', to: '/dashboard/admin/halt' },
  { key: 'contact', to: '/dashboard/admin/contact-requests', permission: 'manageMembers', operator: true },
] as const satisfies readonly { key: string; to: string; permission?: Permission; operator?: true }[];
export type AdminAreaKey = (typeof ADMIN_AREAS)[number]['key'];
