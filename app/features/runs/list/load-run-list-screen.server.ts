import { data, type RouterContextProvider } from 'react-router';
import { listSavedViews } from '#app/components/saved-views/saved-views.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { loadRunCauses, loadRunChoices, loadRunList } from '#app/features/runs/list/load-run-list.server.ts';
import { readRunFilter } from '#app/features/runs/list/run-filter.ts';
import { RUN_VIEWS } from '#app/features/runs/list/run-views.server.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOTHING = { rows: [], next: null, searchedTo: null, searched: 0 };

/** The list of runs with its filters, and what each filter can be set to. Answers 400 where a filter cannot be used. */
export async function loadRunListScreen(context: Readonly<RouterContextProvider>, url: URL) {
  const { member, read } = context.get(memberContext);
  const seesAll = can(member.roles, 'seeAllRuns');
  const { filter, valid } = readRunFilter(url.searchParams);
  const behind = url.searchParams.get('before') ?? '';
  const found = await read(async (db) => ({
    ...(valid
      ? await loadRunList(db, { filter, before: UUID.test(behind) ? behind : null, own: seesAll ? null : member.userId })
      : NOTHING),
    ...(await loadRunChoices(db, member.workspace.id, { people: seesAll, userId: member.userId })),
    views: await listSavedViews(db, RUN_VIEWS, { workspaceId: member.workspace.id, userId: member.userId }),
    // Causes are asked for among failed runs: the list of all runs does not wait for them.
    causes: filter.status === 'failed' || filter.error !== '' ? await loadRunCauses(db, member.workspace.id) : [],
  }));
  const loaded = { ...inReadersLanguage(context, found), filter, valid, seesAll };
  return data(loaded, { status: valid ? 200 : 400 });
}
export type LoadedRunList = Awaited<ReturnType<typeof loadRunListScreen>>['data'];
