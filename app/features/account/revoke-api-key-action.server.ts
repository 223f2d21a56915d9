import { type ActionFunctionArgs, data } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { loadApiKey } from '#app/features/account/load-api-keys.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Ends a key for good. Its next call is refused. */
export async function revokeApiKey({ params, context }: ActionFunctionArgs) {
  const key = await loadApiKey(context, params.key ?? '');
  const { change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  await change(async (db) => {
    const revoked = await db
      .updateTable('quorate.api_keys')
      .set({ revoked_at: now() })
      .where('id', '=', key.id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (revoked.numUpdatedRows !== 1n) throw data({ code: 'not_found' }, { status: 404 });
    return { result: null, event: { action: 'apiKey.revoked', resource: { kind: 'apiKey', id: key.id, name: key.name } } };
  });
  return redirectWithNotice('/dashboard/account/api-keys', 'apiKeyRevoked');
}
