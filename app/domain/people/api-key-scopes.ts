import { API_KEY_SCOPES, type ApiKeyScope, type Role } from '#app/contracts/people.ts';
import { can, type Permission } from '#app/domain/people/roles.ts';

/** The permission that a scope is of no use without. */
const NEEDS: Partial<Record<ApiKeyScope, Permission>> = { 'workflows:write': 'authorWorkflow', 'audit:read': 'readAuditLog' };

/** The scopes that a member with these roles can give a key, in the order of `API_KEY_SCOPES`. */
export function scopesWithin(roles: readonly Role[]): ApiKeyScope[] {
  return API_KEY_SCOPES.filter((scope) => {
    const needed = NEEDS[scope];
    return needed === undefined || can(roles, needed);
  });
}

/** 256 random bits behind a prefix by which leaks are found. */
export const API_KEY_SHAPE = /^qk_[A-Za-z0-9_-]{43}$/;
/** A key, or a piece of one, wherever it does not belong. */
export const API_KEY_TRACE = /\bqk_[A-Za-z0-9_-]{20,}/;
