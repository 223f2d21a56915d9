import { href } from 'react-router';
import type { Permission } from '#app/domain/people/roles.ts';

/**
 * The pages of administration, in the order of the admin home. `permission`: needed to see the page; without one, everyone sees it.
 * `operator`: only in the workspace that runs the instance.
 */
export const ADMIN_AREAS = [
  { key: 'tenant', to: href('/dashboard/admin/tenant'), permission: 'manageMembers' },
  { key: 'members', to: href('/dashboard/admin/members') },
  { key: 'provisioning', to: href('/dashboard/admin/provisioning'), permission: 'manageMembers' },
  { key: 'signIn', to: href('/dashboard/admin/sign-in'), permission: 'manageMembers' },
  { key: 'apiKeys', to: href('/dashboard/admin/api-keys'), permission: 'manageMembers' },
  { key: 'billing', to: href('/dashboard/admin/billing'), permission: 'manageMembers' },
  { key: 'security', to: href('/dashboard/admin/security'), permission: 'readAuditLog' },
  { key: 'health', to: href('/dashboard/admin/health') },
  { key: 'monitoring', to: href('/dashboard/admin/monitoring'), permission: 'readAuditLog' },
  { key: 'performance', to: href('/dashboard/admin/performance'), permission: 'seeAllRuns' },
  { key: 'halt', to: href('/dashboard/admin/halt') },
  { key: 'contact', to: href('/dashboard/admin/contact-requests'), permission: 'manageMembers', operator: true },
] as const satisfies readonly { key: string; to: string; permission?: Permission; operator?: true }[];
export type AdminAreaKey = (typeof ADMIN_AREAS)[number]['key'];
