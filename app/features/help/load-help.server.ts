import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { GUIDES } from '#app/features/help/guides.ts';
import { memberContext } from '#app/request-context.ts';

/** Characters of a search; what is longer is cut. */
const WORDS_MAX = 100;
/** Administrators that are named; the rest stand among the members. */
const SHOWN_ADMINS = 10;

/** What was asked for, the reader's roles, and whom to ask: the workspace's administrators. */
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
