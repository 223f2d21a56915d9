import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { API_KEY_SCOPES, type ApiKeyScope } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { scopesWithin } from '#app/domain/people/api-key-scopes.ts';
import { can } from '#app/domain/people/roles.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PAGE_SIZE = 50;

export type ListedKey = {
  id: string;
  name: string;
  /** The first signs of the key, to tell it by. */
  prefix: string;
  owner: string;
  scopes: ApiKeyScope[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  state: 'active' | 'expired' | 'revoked';
};

/**
 * Keys of the current workspace, newest first: one's own, or for admins everyone's. Never a hash. `?before=` is the id of the last key of
 * the page before.
 */
export async function loadApiKeys({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }, whose: 'own' | 'all') {
  const { member, read } = context.get(memberContext);
  if (whose === 'all' && !can(member.roles, 'manageMembers')) throw data({ code: 'forbidden' }, { status: 403 });
  const now = context.get(servicesContext).now();
  const wanted = url.searchParams.get('before') ?? '';
  const before = UUID.test(wanted) ? wanted : null;
  const rows = await read((db) =>
    db
      .selectFrom('quorate.api_keys as k')
      .innerJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'k.workspace_id').onRef('m.user_id', '=', 'k.user_id'))
      .select([
        'k.id',
        'k.name',
        'k.prefix',
        'k.scopes',
        'k.created_at',
        'k.expires_at',
        'k.last_used_at',
        'k.revoked_at',
        'm.name as owner',
      ])
      .where('k.workspace_id', '=', member.workspace.id)
      .$if(whose === 'own', (query) => query.where('k.user_id', '=', member.userId))
      .$if(before !== null, (query) =>
        query.where(sql<boolean>`(k.created_at, k.id) < (select b.created_at, b.id from quorate.api_keys b where b.id = ${before}::uuid)`),
      )
      .orderBy('k.created_at', 'desc')
      .orderBy('k.id', 'desc')
      .limit(PAGE_SIZE + 1)
      .execute(),
  );
  const keys = rows.slice(0, PAGE_SIZE).map((row): ListedKey => {
    const over = row.expires_at !== null && row.expires_at <= now;
    return {
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      owner: row.owner,
      scopes: API_KEY_SCOPES.filter((scope) => row.scopes.includes(scope)),
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at?.toISOString() ?? null,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      state: row.revoked_at !== null ? 'revoked' : over ? 'expired' : 'active',
    };
  });
  return {
    workspace: shownWorkspaceName(context),
    keys,
    paged: before !== null,
    next: rows.length > PAGE_SIZE ? (keys.at(-1)?.id ?? null) : null,
  };
}
export type ApiKeysView = Awaited<ReturnType<typeof loadApiKeys>>;

/** A fresh id for the form, and the scopes that this member's roles give a use. */
export function loadNewApiKey(context: Readonly<RouterContextProvider>) {
  const { member } = context.get(memberContext);
  return { id: context.get(servicesContext).newId(), workspace: shownWorkspaceName(context), scopes: scopesWithin(member.roles) };
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
