import { sql } from 'kysely';
import { readCandidates } from '#app/domain/route-candidates.ts';
import type { CapabilityResult, SuggestionEvidence } from '#app/domain/suggestions.ts';
import type { TimeWindow } from '#app/domain/time-window.ts';
import { walkSteps, workflowDocumentSchema } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';
import { endedSteps, readStepTimes } from '#app/engine/figures/read-step-times.ts';

const MOST_WORKFLOWS = 200;
const DAY_MS = 86_400_000;

/** What suggestions are made from: live runs that started in the window, and their approvals. */
export async function readSuggestionEvidence(db: Db, workspaceId: string, window: TimeWindow): Promise<SuggestionEvidence> {
  return {
    steps: await readStepTimes(db, workspaceId, window),
    calls: await readCalls(db, workspaceId, window),
    approvals: await readApprovals(db, workspaceId, window),
    unused: await readUnused(db, workspaceId, window),
  };
}

async function readCalls(db: Db, workspaceId: string, window: TimeWindow): Promise<SuggestionEvidence['calls']> {
  const { rows } = await sql<{
    workflowId: string;
    workflow: string;
    path: string;
    name: string;
    capabilityId: string;
    capability: string;
    calls: number;
    errors: number;
    candidates: unknown;
  }>`
    select g.*, a.name as workflow, k.name as capability from (
      select e.artifact_id as "workflowId", e.path, max(e.name) as name, e.capability_id as "capabilityId", count(*)::int as calls,
        (count(*) filter (where e.status = 'error'))::int as errors, (array_agg(e.candidates order by e.started_at desc))[1] as candidates
      from ${endedSteps(workspaceId, window)} e where e.capability_id is not null group by e.artifact_id, e.path, e.capability_id) g
    join quorate.artifacts a on a.id = g."workflowId" join quorate.capabilities k on k.id = g."capabilityId"
    order by g.errors desc limit 500`.execute(db);
  const results = new Map<string, CapabilityResult>();
  for (const { capabilityId, capability, calls, errors } of rows) {
    const known = results.get(capabilityId);
    results.set(capabilityId, { capabilityId, capability, calls: calls + (known?.calls ?? 0), errors: errors + (known?.errors ?? 0) });
  }
  return rows.map(({ candidates, ...row }) => ({
    ...row,
    alternatives: readCandidates(candidates).flatMap((candidate) => {
      const result =
        candidate.excluded === null && candidate.capabilityId !== row.capabilityId ? results.get(candidate.capabilityId) : undefined;
      return result === undefined ? [] : [result];
    }),
  }));
}

async function readApprovals(db: Db, workspaceId: string, window: TimeWindow): Promise<SuggestionEvidence['approvals']> {
  const { rows } = await sql<{
    workflowId: string;
    workflow: string;
    path: string;
    name: string;
    approved: number;
    refused: number;
    first: Date;
  }>`
    select r.artifact_id as "workflowId", w.name as workflow, a.step_path as path, max(a.title) as name,
      (count(*) filter (where a.status in ('approved', 'consumed')))::int as approved, (count(*) filter (where a.status in ('rejected', 'expired')))::int as refused, min(a.created_at) as first
    from quorate.runs r join quorate.approvals a on a.run_id = r.id join quorate.artifacts w on w.id = r.artifact_id
    where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.created_at >= ${window.from} and r.created_at < ${window.until}
    group by r.artifact_id, w.name, a.step_path order by approved desc limit 500`.execute(db);
  return rows.map(({ first, ...row }) => ({ ...row, days: Math.floor((window.until.getTime() - first.getTime()) / DAY_MS) }));
}

/** Steps of published versions that no completed run of that version took. */
async function readUnused(db: Db, workspaceId: string, window: TimeWindow): Promise<SuggestionEvidence['unused']> {
  const { rows } = await sql<{ workflowId: string; workflow: string; document: unknown; runs: number; taken: string[] }>`
    select g.id as "workflowId", g.name as workflow, v.document, g.runs, array(
      select distinct s.path from quorate.runs r join quorate.steps s on s.run_id = r.id
      where r.artifact_id = g.id and r.version_id = g.version and r.mode = 'live' and r.status = 'completed' and r.created_at >= ${window.from} and r.created_at < ${window.until} and s.status <> 'skipped') as taken
    from (
      select a.id, a.name, a.published_version_id as version, count(*)::int as runs
      from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id and a.published_version_id = r.version_id
      where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.status = 'completed' and r.created_at >= ${window.from} and r.created_at < ${window.until} and a.deleted_at is null
      group by a.id order by count(*) desc limit ${MOST_WORKFLOWS}) g
    join quorate.versions v on v.id = g.version`.execute(db);
  return rows.flatMap((row) => {
    const document = workflowDocumentSchema.safeParse(row.document);
    if (!document.success) return [];
    const taken = new Set(row.taken);
    const { workflowId, workflow, runs } = row;
    return [...walkSteps(document.data.steps)]
      .filter(({ path }) => !taken.has(path))
      .map(({ step, path }) => ({ workflowId, workflow, path, name: step.name, runs }));
  });
}
