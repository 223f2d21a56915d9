import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { addBuiltin } from '#app/engine/commands/connections/add-builtin.ts';
import { type BuiltinKind, CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Adds the built-in peer of one protocol; approved at once where the member may approve. */
export async function addBuiltinAction({
  request,
  context,
  kind,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
  kind: BuiltinKind;
}) {
  const { member } = context.get(memberContext);
  if ((await request.formData()).get('intent') !== 'addBuiltin') throw data({ code: 'invalid_input' }, { status: 400 });
  if (!can(member.roles, 'connect')) throw data({ code: 'forbidden' }, { status: 403 });
  const { base } = CONNECTION_AREAS[kind];
  try {
    const { id } = await performAsMember(context, addBuiltin, { kind });
    return redirectWithNotice(href(`${base}/:connection`, { connection: id }), 'builtinAdded');
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(href(base), 'connectionChangedMeanwhile', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'quota_exceeded')
      return redirectWithNotice(href(base), 'agentsFull', { kind: 'attention' });
    throw error;
  }
}
