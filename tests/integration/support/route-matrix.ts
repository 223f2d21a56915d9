/** Who may read and who may post at each address. Every address of routes.ts stands here: one that does not, fails the test. */
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { PERMISSIONS, type Role } from '#app/domain/roles.ts';

/** `anybody`: also who is not signed in. `members`: everybody in the workspace. `nobody`: there is no such door. */
type Who = 'anybody' | 'members' | 'nobody' | readonly Role[];
export type Rule = { read: Who; write: Who };

const rule = (read: Who, write: Who = 'nobody'): Rule => ({ read, write });
const open = rule('anybody');
const form = rule('anybody', 'anybody');
const seen = rule('members');
const own = rule('members', 'members');
const {
  seeAllRuns: seers,
  authorWorkflow: authors,
  exportEvidence: provers,
  authorPolicy: legislators,
  manageMembers: managers,
} = PERMISSIONS;
const connectors: readonly Role[] = [...PERMISSIONS.connect, 'admin'];
const reviewers: readonly Role[] = [...connectors, ...PERMISSIONS.approveCapability];
const authored = rule(authors, authors);

export const RULES: Record<string, Rule> = {
  '/': open,
  '/app/*': open,
  '/preferences/language': form,
  '/preferences/appearance': form,
  '/preferences/sidebar': form,
  '/preferences/consent': form,
  '/preferences/scripts': form,
  '/newsletter': form,
  '/auth': form,
  '/auth/confirm': form,
  '/auth/factor': form,
  '/auth/sign-out': form,
  '/auth/calls': form,
  '/reset-password': form,
  '/invitations/:token': form,
  '/pricing': form,
  '/contact': form,
  '/evidence': open,
  '/docs': open,
  '/docs/connect': open,
  '/docs/api': open,
  '/docs/self-hosting': open,
  '/docs/verify': open,
  '/docs/mocking': open,
  '/legal/imprint': open,
  '/legal/privacy': open,
  '/legal/terms': open,
  '/legal/cookies': open,
  '/accessibility': open,
  '/dashboard': seen,
  '/dashboard/workflows': seen,
  '/dashboard/workflows/new': authored,
  '/dashboard/workflows/templates': seen,
  '/dashboard/workflows/:workflow': rule('members', authors),
  '/dashboard/workflows/:workflow/edit': authored,
  '/dashboard/workflows/:workflow/edit/input': authored,
  '/dashboard/workflows/:workflow/edit/settings': authored,
  '/dashboard/workflows/:workflow/edit/json': authored,
  '/dashboard/workflows/:workflow/edit/step/*': authored,
  '/dashboard/workflows/:workflow/publish': authored,
  '/dashboard/workflows/:workflow/run': own,
  '/dashboard/workflows/:workflow/versions/:number': rule('members', authors),
  '/dashboard/workflows/:workflow/delete': authored,
  '/dashboard/runs': seen,
  '/dashboard/runs/:run': rule(seers, seers),
  '/dashboard/runs/:run/again': own,
  '/dashboard/runs/:run/events': rule(seers),
  '/dashboard/approvals': seen,
  '/dashboard/approvals/:approval': rule('members', PERMISSIONS.decideApproval),
  '/dashboard/approvals/:approval/withdraw': own,
  '/dashboard/search': seen,
  '/dashboard/notifications': own,
  '/dashboard/notifications/events': seen,
  '/dashboard/notifications/preferences': own,
  '/dashboard/notifications/preferences/secret': seen,
  '/dashboard/notifications/deliveries': rule(PERMISSIONS.readAuditLog),
  '/dashboard/agents': rule('members', connectors),
  '/dashboard/agents/monitoring': seen,
  '/dashboard/my-agents': rule('members', connectors),
  '/dashboard/agents/new': rule(PERMISSIONS.connect, PERMISSIONS.connect),
  '/dashboard/agents/:connection': rule('members', reviewers),
  '/dashboard/agents/:connection/disconnect': rule(connectors, connectors),
  '/dashboard/plugins': rule('members', connectors),
  '/dashboard/plugins/new': rule(PERMISSIONS.connect, PERMISSIONS.connect),
  '/dashboard/plugins/:connection': rule('members', reviewers),
  '/dashboard/plugins/:connection/disconnect': rule(connectors, connectors),
  '/dashboard/plugins/:connection/rotate': rule(connectors, connectors),
  '/dashboard/plugins/integrations': seen,
  '/dashboard/plugins/integrations/new': rule(PERMISSIONS.connect, PERMISSIONS.connect),
  '/dashboard/plugins/integrations/:connection': rule('members', reviewers),
  '/dashboard/plugins/integrations/:connection/disconnect': rule(connectors, connectors),
  '/dashboard/plugins/integrations/:connection/rotate': rule(connectors, connectors),
  '/dashboard/llm-hub': seen,
  '/dashboard/llm-hub/new': rule(PERMISSIONS.connect, PERMISSIONS.connect),
  '/dashboard/llm-hub/:connection': rule('members', reviewers),
  '/dashboard/llm-hub/:connection/prices': rule(connectors, connectors),
  '/dashboard/llm-hub/:connection/disconnect': rule(connectors, connectors),
  '/dashboard/llm-hub/:connection/rotate': rule(connectors, connectors),
  '/dashboard/marketplace': seen,
  '/dashboard/marketplace/:server': rule('members', PERMISSIONS.connect),
  '/dashboard/analytics': seen,
  '/dashboard/analytics/advanced': seen,
  '/dashboard/analytics/table.csv': seen,
  '/dashboard/ai-orchestration': seen,
  '/dashboard/ai-orchestration/process-intelligence': seen,
  '/dashboard/ai-orchestration/process-optimization': seen,
  '/dashboard/ai-reasoning': seen,
  '/dashboard/ai-reasoning/:decision': seen,
  '/dashboard/dev-console': rule('members', connectors),
  '/dashboard/dev-console/inspector': rule(authors, authors),
  '/dashboard/dev-console/inspector/:run': rule(authors),
  '/dashboard/policies': seen,
  '/dashboard/policies/new': rule(legislators, legislators),
  '/dashboard/policies/:policy': rule('members', legislators),
  '/dashboard/policies/:policy/edit': rule(legislators, legislators),
  '/dashboard/audit': seen,
  '/dashboard/audit/checkpoints': seen,
  '/dashboard/audit/checkpoints/:size': seen,
  '/dashboard/audit/runs/:run': rule(seers),
  '/dashboard/audit/evidence/event/:event': rule(provers),
  '/dashboard/audit/evidence/run/:run': rule(provers),
  '/dashboard/audit/evidence/log': rule(provers),
  '/dashboard/audit/:event': rule(PERMISSIONS.readAuditLog),
  '/dashboard/admin': seen,
  '/dashboard/admin/members': rule('members', managers),
  '/dashboard/admin/members/invite': rule(managers, managers),
  '/dashboard/admin/members/:user': rule(managers, managers),
  '/dashboard/admin/members/:user/remove': rule(managers, managers),
  '/dashboard/admin/health': seen,
  '/dashboard/admin/api-keys': rule(managers),
  '/dashboard/admin/halt': rule('members', PERMISSIONS.halt),
  '/dashboard/admin/tenant': rule(managers, managers),
  '/dashboard/admin/tenant/secret': rule(managers),
  '/dashboard/admin/billing': rule(managers),
  '/dashboard/admin/billing/:plan': rule(managers, managers),
  '/dashboard/admin/monitoring': rule(PERMISSIONS.readAuditLog),
  '/dashboard/admin/performance': rule(seers),
  '/dashboard/admin/security': rule(PERMISSIONS.readAuditLog),
  '/dashboard/appearance': seen,
  '/dashboard/help': seen,
  '/dashboard/help/design': seen,
  '/dashboard/help/:guide': seen,
  '/dashboard/admin-tools': seen,
  '/dashboard/account': seen,
  '/dashboard/account/workspace': own,
  '/dashboard/account/workspaces/new': own,
  '/dashboard/account/profile': own,
  '/dashboard/account/profile/picture': own,
  '/dashboard/avatars/:user': seen,
  '/dashboard/account/preferences': own,
  '/dashboard/account/sessions': own,
  '/dashboard/account/api-keys': seen,
  '/dashboard/account/api-keys/new': own,
  '/dashboard/account/api-keys/:key/revoke': own,
  '/dashboard/account/security': own,
  '/dashboard/account/security/factor': own,
  '/dashboard/account/data': seen,
  '/dashboard/account/data/export': seen,
  '/dashboard/account/data/delete': own,
  '/dashboard/*': seen,
  '/api/placeholder/:width/:height': open,
  // Programs come with a key; a session's cookie is nobody here.
  '/api/v1/key': rule('nobody'),
  '/api/v1/openapi.json': open,
  '/api/v1/workflows': rule('nobody'),
  '/api/v1/workflows/:workflow': rule('nobody'),
  '/api/v1/runs': rule('nobody'),
  '/api/v1/runs/:run': rule('nobody'),
  '/api/v1/approvals': rule('nobody'),
  '/api/v1/approvals/:approval': rule('nobody'),
  '/api/v1/audit': rule('nobody'),
  '/api/v1/*': rule('nobody'),
  '/mcp/:workspace': rule('nobody'),
  '/dev/mailbox': open,
  '/dev/mailbox.json': open,
  '/*': open,
};

export type Address = { path: string; file: string };

export function* addressesOf(entries: readonly RouteConfigEntry[], above = ''): Generator<Address> {
  for (const entry of entries) {
    const path = [above, entry.path].filter((part) => part !== undefined && part !== '').join('/');
    if (entry.children === undefined) yield { path: `/${path}`, file: entry.file };
    else yield* addressesOf(entry.children, path);
  }
}

/** @param roles null: nobody is signed in */
export function admits(who: Who, roles: readonly Role[] | null): boolean {
  if (who === 'anybody') return true;
  if (who === 'nobody' || roles === null) return false;
  return who === 'members' || roles.some((role) => who.includes(role));
}
