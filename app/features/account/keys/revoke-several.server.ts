import { type ActionFunctionArgs, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { MOST_SELECTED } from '#app/components/list/selection.tsx';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { revokeApiKey } from '#app/engine/commands/account/revoke-api-key.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

const ids = z.array(z.uuid()).max(MOST_SELECTED);
const LIST = href('/dashboard/account/api-keys');

/** Those of one's own keys in the address that still work (`?key=<id>`, repeated), by name. Whatever else it names is left out. */
export async function loadSelectedKeys(context: Context, url: URL) {
  const { member, read } = context.get(memberContext);
  const chosen = ids.safeParse(url.searchParams.getAll('key')).data ?? [];
  if (chosen.length === 0) return [];
  const rows = await read((db) =>
    db
      .selectFrom('quorate.api_keys')
      .select(['id', 'name', 'prefix', 'created_at', 'last_used_at'])
      .where('id', 'in', chosen)
      .where('user_id', '=', member.userId)
      .where('revoked_at', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .execute(),
  );
  return rows.map(({ created_at, last_used_at, ...key }) => ({
    ...key,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }));
}
export type SelectedKey = Awaited<ReturnType<typeof loadSelectedKeys>>[number];

/** Revokes each of the keys that the page has shown, one after another, and says of how many it was done. */
export async function revokeSeveralAction({ request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>): Promise<Response> {
  const chosen = ids.min(1).safeParse((await request.formData()).getAll('key'));
  if (!chosen.success) throw new AppError('invalid_input');
  let done = 0;
  for (const key of new Set(chosen.data)) if (await isRevoked(context, key)) done += 1;
  const left = chosen.data.length - done;
  return redirectWithNotice(LIST, 'apiKeysRevoked', { values: { done, left }, kind: left === 0 ? 'ok' : 'attention' });
}

/** False: revoked meanwhile, or somebody else's. The others are not stopped by that. */
async function isRevoked(context: Context, key: string): Promise<boolean> {
  try {
    await performAsMember(context, revokeApiKey, { key });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
