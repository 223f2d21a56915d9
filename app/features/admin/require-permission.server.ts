import type { RouterContextProvider } from 'react-router';
import type { MemberAccess } from '#app/contracts/access.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { assertPermission, type Permission } from '#app/domain/people/roles.ts';

/** The member's way to the data, for who may; 403 for everyone else. */
export function requirePermission(context: Readonly<RouterContextProvider>, permission: Permission): MemberAccess {
  const access = context.get(memberContext);
  assertPermission(access.member.roles, permission);
  return access;
}
