import { data, type RouterContextProvider } from 'react-router';
import { may, type Permission } from '#app/domain/roles.ts';
import { type MemberAccess, memberContext } from '#app/request-context.ts';

/** The member's way to the data, for who may; 403 for everybody else. */
export function requirePermission(context: Readonly<RouterContextProvider>, permission: Permission): MemberAccess {
  const access = context.get(memberContext);
  if (!may(access.member.roles, permission)) throw data({ code: 'forbidden' }, { status: 403 });
  return access;
}
