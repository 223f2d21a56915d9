import { data, type RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { readRoutedSteps } from '#app/engine/figures/read-routed-steps.ts';
import { routeByHand } from '#app/engine/routing/route-by-hand.ts';
import { readRouteRequest } from '#app/features/reasoning/route-request.ts';

const PAGE_SIZE = 20;
const CURSOR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.{1,500})$/;

/** Recent routing of runs, and a form to try a task. Nothing is called and nothing is stored. */
export async function loadRouting({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { typed, fault, request } = readRouteRequest(url.searchParams);
  const [, runId, path] = CURSOR.exec(url.searchParams.get('before') ?? '') ?? [];
  const choicesOnly = url.searchParams.get('only') === 'choices';
  const found = await read(async (db) => ({
    connections: await db
      .selectFrom('quorate.connections')
      .select(['slug', 'name', 'kind'])
      .where('workspace_id', '=', member.workspace.id)
      .where('deleted_at', 'is', null)
      .where('kind', 'in', ['mcp', 'a2a'])
      .orderBy('name')
      .limit(500)
      .execute(),
    routed: request === null ? null : await routeByHand(db, member.workspace.id, request),
    recent: await readRoutedSteps(
      db,
      { workspaceId: member.workspace.id, own: can(member.roles, 'seeAllRuns') ? null : member.userId },
      {
        before: runId === undefined || path === undefined ? null : { runId, path },
        choicesOnly,
        limit: PAGE_SIZE,
      },
    ),
  }));
  const last = found.recent.rows.at(-1);
  const { routed } = found;
  const loaded = {
    typed,
    fault,
    routed:
      routed === null ? null : { candidates: routed.candidates, reason: routed.reason, tookMs: routed.tookMs, offered: routed.offered },
    connections: found.connections.map(({ slug, name }) => ({ slug, name })),
    recent: inReadersLanguage(context, found.recent.rows),
    next: found.recent.more && last !== undefined ? `${last.runId}:${last.path}` : null,
    paged: runId !== undefined,
    choicesOnly,
  };
  return data(loaded, { status: fault === null ? 200 : 400 });
}
export type LoadedRouting = Awaited<ReturnType<typeof loadRouting>>['data'];
