import type { RouterContextProvider } from 'react-router';
import { deferPanel, loadPanel } from '#app/components/page/load-panel.server.ts';
import type { PanelData } from '#app/components/page/panel-data.ts';
import { approvalTitles } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { judgeHealth } from '#app/domain/people/health.ts';
import { can } from '#app/domain/people/roles.ts';
import { noteVisit, VISIT_ENDS_MINUTES } from '#app/engine/commands/personal/note-visit.ts';
import { readWaitingChanges } from '#app/engine/control/waiting-changes.ts';
import { readHealth } from '#app/engine/health/read-health.ts';
import { readWaitingTasks } from '#app/engine/runs/waiting-tasks.ts';
import { mayShowPanel } from '#app/features/dashboard/arrange/may-show.ts';
import { arrangePanels, type PanelName } from '#app/features/dashboard/panels.ts';
import { readDays } from '#app/features/dashboard/read/read-days.server.ts';
import { readDesk } from '#app/features/dashboard/read/read-desk.server.ts';
import { readChanges, readErrorGroups, readNewest, readSince } from '#app/features/dashboard/read/read-happening.server.ts';
import { readApprovals, readChanged, readFirstDay, readMyDrafts, readMyRuns } from '#app/features/dashboard/read/read-work.server.ts';
import { performForSelf } from '#app/perform.server.ts';

const SHOWN = 5;
const NEWEST = 8;
const WEEK_MS = 7 * 86_400_000;

type Context = Readonly<RouterContextProvider>;

/**
 * The panels that the member has put on their dashboard: work and the newest runs at once, figures, errors, health and changes behind them
 * where scripts can put them into place. Without scripts, or before it is known that they run, all of it comes together.
 */
export async function loadDashboardHome({ request, context }: { request: Request; context: Context }) {
  const { member, read } = context.get(memberContext);
  const at = context.get(servicesContext).now();
  const first = await read((db) => loadFirst(context, db, at));
  const { desk, panels, ...work } = first;
  if (desk.unnoted) await performForSelf(context, noteVisit, { workspace: member.workspace.id });
  const shown = new Set(panels.map(({ name }) => name));
  const inWords = async <T>(work: Promise<T>): Promise<T> => inReadersLanguage(context, await work);
  const later = async <T>(name: PanelName, load: () => Promise<T>): Promise<Below<T>> =>
    shown.has(name) ? await deferPanel(loadPanel(context, inWords(load())), request) : null;
  const week = new Date(at.getTime() - WEEK_MS);
  const [since, days, errors, changes, health] = await Promise.all([
    later('since', () => read((db) => readSince(db, member, desk.since))),
    later('days', () => read((db) => readDays(db, member, at))),
    later('errors', () => read((db) => readErrorGroups(db, member, week, SHOWN))),
    later('changes', () => read((db) => readChanges(db, member, NEWEST))),
    later('health', async () =>
      judgeHealth(await readHealth(read, { workspaceId: member.workspace.id, now: at }), member.workspace.haltedAt !== null),
    ),
  ]);
  return {
    name: member.name,
    decides: can(member.roles, 'decideApproval'),
    builds: can(member.roles, 'authorWorkflow'),
    managesMembers: can(member.roles, 'manageMembers'),
    panels: panels.map(({ name, side }) => ({ name, side })),
    mark: desk.mark,
    ...inReadersLanguage(context, work),
    since,
    days,
    errors,
    changes,
    health,
  };
}
export type DashboardHomeData = Awaited<ReturnType<typeof loadDashboardHome>>;

/** A panel that comes behind the first ones, as loader data; null: it is put away. */
export type Below<T> = { data: Promise<PanelData<T>> | PanelData<T> } | null;

async function loadFirst(context: Context, db: Db, at: Date) {
  const { member } = context.get(memberContext);
  const workspaceId = member.workspace.id;
  const desk = await readDesk(db, member, at, VISIT_ENDS_MINUTES * 60_000);
  const panels = arrangePanels(desk.arranged, mayShowPanel(member.roles)).filter(({ shown }) => shown);
  const ifShown = async <T>(name: PanelName, load: () => Promise<T>) => (panels.some((panel) => panel.name === name) ? await load() : null);
  return {
    desk,
    panels,
    firstDay: await ifShown('firstDay', () => readFirstDay(db, workspaceId)),
    waiting: await ifShown('waiting', async () => ({
      approvals: await readApprovals(db, member, SHOWN, approvalTitles(context)),
      changes: await readWaitingChanges(db, member, SHOWN),
      tasks: await readWaitingTasks(db, SHOWN),
      changed: await readChanged(db, workspaceId, SHOWN),
    })),
    myRuns: await ifShown('myRuns', () => readMyRuns(db, member, new Date(at.getTime() - WEEK_MS), SHOWN)),
    drafts: await ifShown('drafts', () => readMyDrafts(db, member, SHOWN)),
    newest: await ifShown('newest', () => readNewest(db, member, NEWEST)),
  };
}
