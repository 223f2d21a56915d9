import type { RouterContextProvider } from 'react-router';
import { demand, type Permission } from '#app/domain/people/roles.ts';
import { type MemberAccess, memberContext } from '#app/request-context.ts';

/** The member's way to the data, for who may; 403 for everybody else. */
export function requirePermission(context: Readonly<RouterContextProvider>, permission: Permission): MemberAccess {
  const access = context.get(memberContext);
  demand(access.member.roles, permission);
  return access;
}
