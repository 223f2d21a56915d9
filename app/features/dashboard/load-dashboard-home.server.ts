import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { deferPanel, loadPanel } from '#app/components/page/load-panel.server.ts';
import { approvalTitles } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import type { Member } from '#app/contracts/principals.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { Risk, RunStatus } from '#app/contracts/statuses.ts';
import { judgeHealth } from '#app/domain/people/health.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { windowOf } from '#app/domain/runs/time-window.ts';
import { readWaitingRoles } from '#app/engine/approvals/role-requests.ts';
import { readFigures } from '#app/engine/figures/read-figures.ts';
import { readHealth } from '#app/engine/health/read-health.ts';
import { readWaitingTasks } from '#app/engine/runs/waiting-tasks.ts';

const SHOWN = 5;
const RUNNING = 8;
const DAYS_OF_FAILURES = 7;

/**
 * Waiting work, running work and the first day's steps at once; figures, health and changes behind them where scripts can put them into
 * place. Without scripts, or before it is known that they run, all of it comes together.
 */
export async function loadDashboardHome({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const at = now();
  const first = await read(async (db) => ({
    approvals: await readApprovals(db, member, approvalTitles(context)),
    roles: await readWaitingRoles(db, member, SHOWN),
    tasks: await readWaitingTasks(db, SHOWN),
    failures: await readFailures(db, member, new Date(at.getTime() - DAYS_OF_FAILURES * 86_400_000)),
    changed: await readChanged(db, member.workspace.id),
    running: await readRunning(db, member.workspace.id),
    steps: await readFirstDay(db, member.workspace.id),
  }));
  const below = await deferPanel(loadPanel(context, loadBelow(context, at)), request);
  return {
    name: member.name,
    decides: can(member.roles, 'decideApproval'),
    builds: can(member.roles, 'authorWorkflow'),
    managesMembers: can(member.roles, 'manageMembers'),
    ...inReadersLanguage(context, first),
    below: below.data,
  };
}
export type DashboardHomeData = Awaited<ReturnType<typeof loadDashboardHome>>;

async function loadBelow(context: Readonly<RouterContextProvider>, at: Date) {
  const { member, read } = context.get(memberContext);
  const workspaceId = member.workspace.id;
  const figures = await read((db) =>
    readFigures(db, { workspaceId, own: can(member.roles, 'seeAllRuns') ? null : member.userId }, windowOf('7d', at)),
  );
  const health = judgeHealth(await readHealth(read, { workspaceId, now: at }), member.workspace.haltedAt !== null);
  const changes = await read((db) => readChanges(db, member));
  return inReadersLanguage(context, { figures, health, changes });
}
export type DashboardBelow = Awaited<ReturnType<typeof loadBelow>>;

export type WaitingApproval = {
  id: string;
  title: string;
  run: (RunIdentity & { workflow: string }) | null;
  risk: Risk;
  createdAt: string;
  dueAt: string;
};

/** Those that this member may decide, by the same rules as the vote, the most urgent first. */
async function readApprovals(db: Db, member: Member, titleOf: ReturnType<typeof approvalTitles>): Promise<WaitingApproval[]> {
  if (!can(member.roles, 'decideApproval')) return [];
  const { rows } = await sql<{
    id: string;
    title: string;
    asked: unknown;
    risk: Risk;
    created_at: Date;
    due_at: Date;
    number: number | null;
    subject: unknown;
    workflow: string | null;
  }>`
    select a.id, a.title, quorate.asked_of(a.subject) as asked, a.risk, a.created_at, a.due_at, r.number, r.subject, w.name as workflow from quorate.approvals a
      left join quorate.runs r on r.id = a.run_id left join quorate.artifacts w on w.id = r.artifact_id
    where a.workspace_id = ${member.workspace.id} and a.status = 'pending' and a.due_at > statement_timestamp()
      and a.role = any (${[...member.roles]}::text[]) and a.requested_by <> ${member.userId} and a.version_author_id <> ${member.userId}
      and not exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = ${member.userId})
    order by a.due_at limit ${SHOWN}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    title: titleOf(row.title, row.asked),
    run: row.number === null ? null : { number: row.number, subject: readSubject(row.subject), workflow: row.workflow ?? '' },
    risk: row.risk,
    createdAt: row.created_at.toISOString(),
    dueAt: row.due_at.toISOString(),
  }));
}

export type FailedRun = RunIdentity & { id: string; workflowId: string; workflow: string; error: Explanation | null; at: string };

/** Live runs that failed lately, that the member started or whose workflow is theirs, and that nobody started again. */
async function readFailures(db: Db, member: Member, since: Date): Promise<FailedRun[]> {
  const { rows } = await sql<{ id: string; number: number; subject: unknown; artifact_id: string; name: string; error: unknown; at: Date }>`
    select r.id, r.number, r.subject, r.artifact_id, a.name, r.error, coalesce(r.finished_at, r.updated_at) as at
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
    where r.workspace_id = ${member.workspace.id} and r.created_at >= ${since} and r.status = 'failed' and r.mode = 'live'
      and (r.initiator_id = ${member.userId} or a.owner_id = ${member.userId})
      and not exists (select from quorate.runs again where again.artifact_id = r.artifact_id and again.created_at > r.created_at and again.parent_run_id = r.id)
    order by r.created_at desc limit ${SHOWN}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    subject: readSubject(row.subject),
    workflowId: row.artifact_id,
    workflow: row.name,
    error: explanationSchema.safeParse(row.error).data ?? null,
    at: row.at.toISOString(),
  }));
}

export type ChangedConnection = { id: string; kind: string; name: string; changed: number };

/** Connections of which a tool or a skill differs from its approved definition: it is not called until someone reviews it. */
async function readChanged(db: Db, workspaceId: string): Promise<ChangedConnection[]> {
  const { rows } = await sql<ChangedConnection>`
    select c.id, c.kind, c.name, count(*)::int as changed
    from quorate.capabilities k join quorate.connections c on c.id = k.connection_id
    where k.workspace_id = ${workspaceId} and k.removed_at is null and k.approved_fingerprint <> k.fingerprint and c.deleted_at is null
    group by c.id order by c.name limit ${SHOWN}`.execute(db);
  return rows;
}

export type RunningRun = RunIdentity & { id: string; workflow: string; status: RunStatus; mode: 'live' | 'test'; createdAt: string };

async function readRunning(db: Db, workspaceId: string): Promise<RunningRun[]> {
  const rows = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.status', 'in', ['pending', 'processing', 'waiting'])
    .orderBy('r.created_at', 'desc')
    .limit(RUNNING)
    .select(['r.id', 'r.number', 'r.subject', 'a.name', 'r.status', 'r.mode', 'r.created_at'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    subject: readSubject(row.subject),
    workflow: row.name,
    status: row.status,
    mode: row.mode,
    createdAt: row.created_at.toISOString(),
  }));
}

export type FirstDay = { tool: boolean; agent: boolean; workflow: boolean; run: boolean; colleague: boolean };

/** The progress of a new workspace, read from its rows. */
async function readFirstDay(db: Db, workspaceId: string): Promise<FirstDay> {
  const { rows } = await sql<FirstDay>`
    select exists (select from quorate.connections c where c.workspace_id = ${workspaceId} and c.kind in ('mcp', 'app') and c.status = 'connected' and c.deleted_at is null) as tool,
      exists (select from quorate.connections c where c.workspace_id = ${workspaceId} and c.kind = 'a2a' and c.status = 'connected' and c.deleted_at is null) as agent,
      exists (select from quorate.artifacts a where a.workspace_id = ${workspaceId} and a.kind = 'workflow' and a.deleted_at is null) as workflow,
      exists (select from quorate.runs r where r.workspace_id = ${workspaceId}) as run,
      (select count(*) from (select from quorate.members m where m.workspace_id = ${workspaceId} limit 2) two) > 1
        or exists (select from quorate.invitations i where i.workspace_id = ${workspaceId} and i.withdrawn_at is null and i.declined_at is null) as colleague`.execute(
    db,
  );
  return rows[0] ?? { tool: false, agent: false, workflow: false, run: false, colleague: false };
}

export type Change = { id: string; action: string; actor: string | null; resource: string | null; at: string };

/** The newest entries of the log by people: everyone's for readers of the log, one's own otherwise. */
async function readChanges(db: Db, member: Member): Promise<{ rows: Change[]; all: boolean }> {
  const all = can(member.roles, 'readAuditLog');
  let query = db.selectFrom('quorate.audit_events').where('workspace_id', '=', member.workspace.id);
  if (!all) query = query.where('actor_id', '=', member.userId);
  const rows = await query
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(RUNNING)
    .select(['id', 'action', 'actor_name', 'resource_name', 'at'])
    .execute();
  return {
    all,
    rows: rows.map((row) => ({
      id: row.id,
      action: row.action,
      actor: row.actor_name,
      resource: row.resource_name,
      at: row.at.toISOString(),
    })),
  };
}
