import type { MemberAccess } from '#app/contracts/access.ts';
import type { Principal } from '#app/contracts/principals.ts';

/** A member as the principal of a command. */
export function memberPrincipal({ member, read, change }: MemberAccess): Principal {
  const { workspace, userId, name, roles } = member;
  return { workspace, userId, name, roles, scopes: null, read, change };
}
