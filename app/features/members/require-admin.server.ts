import { data, type MiddlewareFunction } from 'react-router';
import { may } from '#app/domain/people/roles.ts';
import { memberContext } from '#app/request-context.ts';

/** Middleware of the screens that change members. The database refuses as well; this says it before a form is filled in. */
export const requireMemberAdmin: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (!may(context.get(memberContext).member.roles, 'manageMembers')) throw data({ code: 'forbidden' }, { status: 403 });
  return next();
};
