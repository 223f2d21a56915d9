import { data, type MiddlewareFunction } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';

/** Middleware of the screens that change members. The database refuses as well; this says it before a form is filled in. */
export const requireMemberAdmin: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (!can(context.get(memberContext).member.roles, 'manageMembers')) throw data({ code: 'forbidden' }, { status: 403 });
  return next();
};
