import type { RouterContextProvider } from 'react-router';
import { deferPanel, loadPanel } from '#app/components/load-panel.server.ts';
import { may } from '#app/domain/roles.ts';
import type { Db } from '#app/engine/db.ts';
import { memberContext } from '#app/request-context.ts';

const RECENT_RUNS = 8;
const WAITING_APPROVALS = 5;

/** What waits and how far a new workspace has come; what has just run stands below the fold and may come later. */
export async function loadDashboardHome(context: Readonly<RouterContextProvider>, request: Request) {
  const { read } = context.get(memberContext);
  const runs = loadPanel(context, read(listRecentRuns));
  return { ...(await loadTop(context)), runs: (await deferPanel(runs, request)).data };
}

async function listRecentRuns(db: Db) {
  const runs = await db
    .selectFrom('quorate.runs')
    .innerJoin('quorate.artifacts', 'quorate.artifacts.id', 'quorate.runs.artifact_id')
    .select(['quorate.runs.id', 'quorate.artifacts.name', 'quorate.runs.status', 'quorate.runs.mode', 'quorate.runs.created_at'])
    .orderBy('quorate.runs.created_at', 'desc')
    .limit(RECENT_RUNS)
    .execute();
  return runs.map((run) => ({
    id: run.id,
    workflow: run.name,
    status: run.status,
    mode: run.mode,
    createdAt: run.created_at.toISOString(),
  }));
}

async function loadTop(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  return read(async (db) => {
    const approvals = await db
      .selectFrom('quorate.approvals')
      .select(['id', 'title', 'risk', 'requested_by', 'due_at', 'created_at'])
      .where('status', '=', 'pending')
      .orderBy('due_at')
      .limit(WAITING_APPROVALS)
      .execute();
    const counts = await db
      .selectNoFrom(({ selectFrom, exists }) => [
        exists(selectFrom('quorate.artifacts').select('id').where('kind', '=', 'workflow').where('deleted_at', 'is', null)).as(
          'hasWorkflow',
        ),
        exists(
          selectFrom('quorate.artifacts').select('id').where('kind', '=', 'workflow').where('published_version_id', 'is not', null),
        ).as('hasPublished'),
        exists(selectFrom('quorate.members').select('user_id').where('user_id', '!=', member.userId)).as('hasColleague'),
        exists(selectFrom('quorate.runs').select('id').where('workspace_id', '=', member.workspace.id)).as('hasRun'),
      ])
      .executeTakeFirstOrThrow();
    return {
      name: member.name,
      decides: may(member.roles, 'decideApproval'),
      builds: may(member.roles, 'authorWorkflow'),
      managesMembers: may(member.roles, 'manageMembers'),
      approvals: approvals.map((approval) => ({
        id: approval.id,
        title: approval.title,
        risk: approval.risk,
        mine: approval.requested_by === member.userId,
        dueAt: approval.due_at.toISOString(),
        createdAt: approval.created_at.toISOString(),
      })),
      steps: {
        workflow: Boolean(counts.hasWorkflow),
        published: Boolean(counts.hasPublished),
        run: Boolean(counts.hasRun),
        colleague: Boolean(counts.hasColleague),
      },
    };
  });
}

export type DashboardHomeData = Awaited<ReturnType<typeof loadDashboardHome>>;
