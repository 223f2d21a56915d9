/** Roles of a member of a workspace: a set, whose permissions add up. */
export const ROLES = ['user', 'builder', 'approver', 'auditor', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** The purposes of a key. A key never does more than its member may do at that moment, and it never votes or administers. */
export const API_KEY_SCOPES = ['runs:read', 'runs:start', 'workflows:read', 'workflows:write', 'approvals:read', 'audit:read'] as const;

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

export type Plan = 'starter' | 'professional' | 'enterprise';

/** The operator that is liable for an instance. `address` is one line, its parts separated by commas. */
export type Operator = { name: string; address: string | null; email: string | null };
