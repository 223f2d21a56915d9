import { sql } from 'kysely';
import type { approvalTitles } from '#app/components/text/asked-words.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import type { Member } from '#app/contracts/principals.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { Risk, RunStatus } from '#app/contracts/statuses.ts';
import type { ArtifactsTable } from '#app/contracts/tables.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';

export type WaitingApproval = {
  id: string;
  title: string;
  run: (RunIdentity & { workflow: string }) | null;
  risk: Risk;
  createdAt: string;
  dueAt: string;
};

type ApprovalRow = {
  id: string;
  title: string;
  asked: unknown;
  risk: Risk;
  created_at: Date;
  due_at: Date;
  number: number | null;
  subject: unknown;
  workflow: string | null;
};

/** Those that this member may decide, by the same rules as the vote, the most urgent first. */
export async function readApprovals(
  db: Db,
  member: Member,
  limit: number,
  titleOf: ReturnType<typeof approvalTitles>,
): Promise<WaitingApproval[]> {
  if (!can(member.roles, 'decideApproval')) return [];
  const { rows } = await sql<ApprovalRow>`
    select a.id, a.title, quorate.asked_of(a.subject) as asked, a.risk, a.created_at, a.due_at, r.number, r.subject, w.name as workflow from quorate.approvals a
      left join quorate.runs r on r.id = a.run_id left join quorate.artifacts w on w.id = r.artifact_id
    where a.workspace_id = ${member.workspace.id} and a.status = 'pending' and a.due_at > statement_timestamp()
      and a.role = any (${[...member.roles]}::text[]) and a.requested_by <> ${member.userId} and a.version_author_id <> ${member.userId}
      and not exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = ${member.userId})
    order by a.due_at limit ${limit}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    title: titleOf(row.title, row.asked),
    run: row.number === null ? null : { number: row.number, subject: readSubject(row.subject), workflow: row.workflow ?? '' },
    risk: row.risk,
    createdAt: row.created_at.toISOString(),
    dueAt: row.due_at.toISOString(),
  }));
}

export type MyRun = RunIdentity & {
  id: string;
  workflowId: string;
  workflow: string;
  kind: ArtifactsTable['kind'];
  status: Extract<RunStatus, 'waiting' | 'failed'>;
  error: Explanation | null;
  at: string;
};

type MyRunRow = {
  id: string;
  number: number;
  subject: unknown;
  artifact_id: string;
  name: string;
  kind: MyRun['kind'];
  status: MyRun['status'];
  error: unknown;
  at: Date;
};

/**
 * Runs of the member that wait, and live ones that failed lately, that they started or whose workflow is theirs, and that nobody started
 * again: the failures first, the newest of either first.
 */
export async function readMyRuns(db: Db, member: Member, since: Date, limit: number): Promise<MyRun[]> {
  const { rows } = await sql<MyRunRow>`
    (select r.id, r.number, r.subject, r.artifact_id, a.name, a.kind, r.status, r.error, coalesce(r.finished_at, r.updated_at) as at
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
    where r.workspace_id = ${member.workspace.id} and r.created_at >= ${since} and r.status = 'failed' and r.mode = 'live'
      and (r.initiator_id = ${member.userId} or a.owner_id = ${member.userId})
      and not exists (select from quorate.runs again where again.artifact_id = r.artifact_id and again.created_at > r.created_at and again.parent_run_id = r.id)
    order by r.created_at desc limit ${limit})
    union all
    (select r.id, r.number, r.subject, r.artifact_id, a.name, a.kind, r.status, null, coalesce(r.waiting_since, r.updated_at)
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
    where r.workspace_id = ${member.workspace.id} and r.status = 'waiting' and r.initiator_id = ${member.userId}
    order by r.created_at desc limit ${limit})`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    subject: readSubject(row.subject),
    workflowId: row.artifact_id,
    workflow: row.name,
    kind: row.kind,
    status: row.status,
    error: explanationSchema.safeParse(row.error).data ?? null,
    at: row.at.toISOString(),
  }));
}

export type ChangedConnection = { id: string; kind: string; name: string; changed: number };

/** Connections of which a tool or a skill differs from its approved definition: it is not called until someone reviews it. */
export async function readChanged(db: Db, workspaceId: string, limit: number): Promise<ChangedConnection[]> {
  const { rows } = await sql<ChangedConnection>`
    select c.id, c.kind, c.name, count(*)::int as changed
    from quorate.capabilities k join quorate.connections c on c.id = k.connection_id
    where k.workspace_id = ${workspaceId} and k.removed_at is null and k.approved_fingerprint <> k.fingerprint and c.deleted_at is null
    group by c.id order by c.name limit ${limit}`.execute(db);
  return rows;
}

/** `published`: the draft stands as it was published last. */
export type MyDraft = { id: string; kind: 'workflow' | 'agent'; name: string; published: boolean; at: string };

/** Drafts of workflows and agents that this member was the last to save, the newest first. */
export async function readMyDrafts(db: Db, member: Member, limit: number): Promise<MyDraft[]> {
  const { rows } = await sql<{ id: string; kind: MyDraft['kind']; name: string; published: boolean; at: Date }>`
    select a.id, a.kind, a.name, d.created_at as at, coalesce(v.created_at >= d.created_at, false) as published
    from quorate.artifacts a
      join quorate.drafts d on d.artifact_id = a.id and d.revision = a.draft_revision and d.author_id = ${member.userId}
      left join quorate.versions v on v.id = a.published_version_id
    where a.workspace_id = ${member.workspace.id} and a.kind in ('workflow', 'agent') and a.deleted_at is null
    order by d.created_at desc limit ${limit}`.execute(db);
  return rows.map(({ at, ...draft }) => ({ ...draft, at: at.toISOString() }));
}

export type FirstDay = { tool: boolean; agent: boolean; workflow: boolean; run: boolean; colleague: boolean };

/** The progress of a new workspace, read from its rows. */
export async function readFirstDay(db: Db, workspaceId: string): Promise<FirstDay> {
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
