import { data, type RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { clientContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { scopesWithin } from '#app/domain/people/api-key-scopes.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A fresh id for the form, the scopes that this member's roles give a use, and the address that they come from. */
export function loadNewApiKey(context: Readonly<RouterContextProvider>) {
  const { member } = context.get(memberContext);
  return {
    id: context.get(servicesContext).newId(),
    workspace: shownWorkspaceName(context),
    scopes: scopesWithin(member.roles),
    address: context.get(clientContext).address,
  };
}
export type NewApiKeyView = ReturnType<typeof loadNewApiKey>;

/** One of one's own keys that still works; 404 for every other. */
export async function loadApiKey(
  context: Readonly<RouterContextProvider>,
  id: string,
): Promise<{ id: string; name: string; prefix: string }> {
  const { member, read } = context.get(memberContext);
  const row = UUID.test(id)
    ? await read((db) =>
        db
          .selectFrom('quorate.api_keys')
          .select(['id', 'name', 'prefix'])
          .where('id', '=', id)
          .where('user_id', '=', member.userId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      )
    : undefined;
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return row;
}
