import { data, type RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';

/** Control changes are read by whoever decides on them, asks for them or audits them. */
export function requireControlReader({ context }: { context: Readonly<RouterContextProvider> }): void {
  if (!can(context.get(memberContext).member.roles, 'readChanges')) throw data({ code: 'forbidden' }, { status: 403 });
}
