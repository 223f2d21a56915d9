import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { GUIDES } from '#app/features/help/guides.ts';

/** The most characters of a search; longer ones are cut. */
const WORDS_MAX = 100;
/** Administrators named here; the rest are among the members. */
const SHOWN_ADMINS = 10;

/** The refused thing, the reader's roles, and the workspace's administrators to ask. */
export async function loadHelp({ context, url }: { context: Readonly<RouterContextProvider>; url: URL }) {
  const { member, read } = context.get(memberContext);
  const admins = await read((db) =>
    db
      .selectFrom('quorate.members')
      .select(['user_id as id', 'name', 'email'])
      .where('workspace_id', '=', member.workspace.id)
      .where(sql<boolean>`'admin' = any (roles)`)
      .orderBy('name')
      .orderBy('user_id')
      .limit(SHOWN_ADMINS)
      .execute(),
  );
  const words = (url.searchParams.get('q') ?? '').trim().slice(0, WORDS_MAX);
  return { words, roles: [...member.roles], admins };
}

/** One guide by its address; 404 for one that is not there. */
export function loadGuide({ context, slug }: { context: Readonly<RouterContextProvider>; slug: string }) {
  const { member } = context.get(memberContext);
  const guide = GUIDES.find((candidate) => candidate.slug === slug);
  if (guide === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return { guide, roles: [...member.roles] };
}
