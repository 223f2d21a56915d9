import { ROLES, type Role } from '#app/contracts/people.ts';
import { AppError } from '#app/domain/errors.ts';

/** The permissions that screens and commands ask for. The database decides (row level security); this decides what is shown. */
export const PERMISSIONS = {
  startRun: ['user', 'builder', 'approver', 'auditor', 'admin'],
  seeAllRuns: ['builder', 'approver', 'auditor', 'admin'],
  authorWorkflow: ['builder'],
  connect: ['builder'],
  manageConnection: ['builder', 'admin'],
  keepGateway: ['builder', 'admin'],
  approveCapability: ['approver', 'admin'],
  decideApproval: ['approver'],
  readAuditLog: ['auditor', 'admin'],
  exportEvidence: ['auditor', 'admin'],
  authorPolicy: ['admin'],
  manageMembers: ['admin'],
  agreeToChange: ['admin', 'approver'],
  readChanges: ['admin', 'approver', 'auditor', 'builder'],
  halt: ['admin'],
  handleIncident: ['approver', 'admin'],
  attestControl: ['approver', 'admin'],
  keepInventory: ['builder', 'approver', 'admin'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

/** Roles that another person agrees to give, and to take: the same in `quorate.roles_need_second_person`. */
export const ROLES_OF_CONTROL: readonly Role[] = ['approver', 'auditor', 'admin'];

/** True when one of the roles carries the permission. */
export function can(roles: readonly Role[], permission: Permission): boolean {
  return roles.some((role) => (PERMISSIONS[permission] as readonly Role[]).includes(role));
}

/** @throws AppError forbidden, which names the permission as `needs`, when none of the roles carries it */
export function assertPermission(roles: readonly Role[], permission: Permission): void {
  if (!can(roles, permission)) throw new AppError('forbidden', { values: { needs: permission } });
}

export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}
