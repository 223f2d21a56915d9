import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { readCandidates } from '#app/domain/runs/route-candidates.ts';
import type { CapabilityResult, SuggestionEvidence } from '#app/domain/runs/suggestions.ts';
import type { TimeWindow } from '#app/domain/runs/time-window.ts';
import { loopsOf, pathOverItems } from '#app/domain/workflows/paths/loop-paths.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { askEndedSteps, type StepQuery, stepTimes } from '#app/engine/figures/read-step-times.ts';
import type { RunScope } from '#app/engine/figures/run-scope.ts';

const MOST_STEPS = 200;
const MOST_ROWS = 500;
const MOST_WORKFLOWS = 200;
const DAY_MS = 86_400_000;

/**
 * The evidence for suggestions: the newest live runs that started in the window, and their approvals. `runs`: how many were looked into.
 * `read` opens a transaction of its own for each half, side by side, for either takes its time on a long past.
 */
export async function readSuggestionEvidence(
  read: <Answer>(ask: (db: Db) => Promise<Answer>) => Promise<Answer>,
  scope: RunScope,
  window: TimeWindow,
): Promise<SuggestionEvidence & { runs: number }> {
  const [times, results] = await Promise.all([
    read((db) => askEndedSteps(db, scope, window, { steps: stepTimes(MOST_STEPS) })),
    read(async (db) => {
      const { calls, approvals, taken } = await askEndedSteps(db, scope, window, { calls: CALLS, approvals: APPROVALS, taken: TAKEN });
      return { calls: await withAlternatives(db, calls), approvals, unused: await readUnused(db, taken) };
    }),
  ]);
  return {
    ...times,
    ...results,
    approvals: results.approvals.map(({ first, ...row }) => ({
      ...row,
      days: Math.floor((window.until.getTime() - Date.parse(first)) / DAY_MS),
    })),
  };
}

type Call = {
  workflowId: string;
  workflow: string;
  path: string;
  name: string;
  capabilityId: string;
  capability: string;
  calls: number;
  errors: number;
  last: string;
};

const CALLS: StepQuery<Call> = {
  text: sql`select g.*, a.name as workflow, k.name as capability from (
      select e.artifact_id as "workflowId", e.path, max(e.name) as name, e.capability_id as "capabilityId", count(*)::int as calls,
        (count(*) filter (where e.status = 'error'))::int as errors, (array_agg(e.run_id order by e.started_at desc))[1] as last
      from e where e.capability_id is not null group by e.artifact_id, e.path, e.capability_id) g
    join quorate.artifacts a on a.id = g."workflowId" join quorate.capabilities k on k.id = g."capabilityId"
    order by g.errors desc limit ${MOST_ROWS}`,
};

/** The candidates of the newest call of each: they are large, and one of many is enough. */
async function withAlternatives(db: Db, calls: readonly Call[]): Promise<SuggestionEvidence['calls']> {
  const results = new Map<string, CapabilityResult>();
  for (const { capabilityId, capability, calls: count, errors } of calls) {
    const known = results.get(capabilityId);
    results.set(capabilityId, { capabilityId, capability, calls: count + (known?.calls ?? 0), errors: errors + (known?.errors ?? 0) });
  }
  const failing = calls.filter((call) => call.errors > 0);
  const { rows } = await sql<{ run_id: string; path: string; candidates: unknown }>`
    select s.run_id, s.path, s.candidates from unnest(${failing.map((call) => call.last)}::uuid[], ${failing.map((call) => call.path)}::text[]) as w (run_id, path)
    join quorate.steps s on s.run_id = w.run_id and s.path = w.path`.execute(db);
  const candidatesOf = new Map(rows.map((row) => [`${row.run_id}:${row.path}`, row.candidates]));
  return calls.map(({ last, ...call }) => ({
    ...call,
    alternatives: readCandidates(candidatesOf.get(`${last}:${call.path}`) ?? null).flatMap((candidate) => {
      const result =
        candidate.excluded === null && candidate.capabilityId !== call.capabilityId ? results.get(candidate.capabilityId) : undefined;
      return result === undefined ? [] : [result];
    }),
  }));
}

const APPROVALS: StepQuery<{
  workflowId: string;
  workflow: string;
  path: string;
  name: string;
  approved: number;
  refused: number;
  first: string;
}> = {
  text: sql`select r.artifact_id as "workflowId", w.name as workflow, a.step_path as path, max(a.title) as name,
      (count(*) filter (where a.status in ('approved', 'consumed')))::int as approved, (count(*) filter (where a.status in ('rejected', 'expired')))::int as refused, min(a.created_at) as first
    from looked r join quorate.approvals a on a.run_id = r.id join quorate.artifacts w on w.id = r.artifact_id
    group by r.artifact_id, w.name, a.step_path order by approved desc limit ${MOST_ROWS}`,
};

/** The steps that completed runs of a published version took. */
const TAKEN: StepQuery<{ version: string; runs: number; paths: string[] }> = {
  text: sql`select e.version_id as version, count(distinct e.run_id)::int as runs, array_agg(distinct e.path) as paths
    from e where e.run_status = 'completed' group by e.version_id order by runs desc limit ${MOST_WORKFLOWS}`,
};

/** Steps of published versions that no completed run of that version took. */
async function readUnused(
  db: Db,
  taken: readonly { version: string; runs: number; paths: string[] }[],
): Promise<SuggestionEvidence['unused']> {
  const { rows } = await sql<{ workflowId: string; workflow: string; version: string; document: unknown }>`
    select a.id as "workflowId", a.name as workflow, v.id as version, v.document
    from quorate.versions v join quorate.artifacts a on a.id = v.artifact_id and a.published_version_id = v.id
    where v.id = any (${taken.map((one) => one.version)}::uuid[]) and a.deleted_at is null`.execute(db);
  const takenBy = new Map(taken.map((one) => [one.version, one]));
  return rows.flatMap(({ workflowId, workflow, version, document }) => {
    const read = workflowDocumentSchema.safeParse(document);
    const known = takenBy.get(version);
    if (!read.success || known === undefined) return [];
    const paths = new Set(known.paths);
    const loops = loopsOf(read.data.steps);
    return [...walkSteps(withoutCleanup(read.data.steps))]
      .map(({ step, path }) => ({ step, path: pathOverItems(path, loops) }))
      .filter(({ path }) => !paths.has(path))
      .map(({ step, path }) => ({ workflowId, workflow, path, name: step.name, runs: known.runs }));
  });
}
