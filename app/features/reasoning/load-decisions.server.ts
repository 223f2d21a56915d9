import { type SqlBool, sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Member } from '#app/contracts/principals.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { VERDICTS } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import { readWindow } from '#app/domain/runs/time-window.ts';
import { RUNS_LOOKED_INTO, type RunScope } from '#app/engine/figures/run-scope.ts';
import { type DecisionFilter, readDecisionFilter } from '#app/features/reasoning/decision-filter.ts';
import type { DecidingRule } from '#app/features/reasoning/decision-path.ts';

const PAGE_SIZE = 50;

const rulesSchema = z.array(
  z.object({ policyId: z.string(), policyName: z.string(), version: z.number(), rule: z.string(), verdict: z.enum(VERDICTS) }),
);
/** The rules of a decision's row; none where this version cannot read them. */
export function readRules(value: unknown): DecidingRule[] {
  return rulesSchema.safeParse(value).data ?? [];
}

/** Every decision that the member may see, newest first, a page at a time. */
export async function loadDecisions({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '30d');
  const filter = readDecisionFilter(url.searchParams);
  const before = z.uuid().safeParse(url.searchParams.get('before')).data ?? null;
  const found = await read(async (db) => ({
    artifacts: await db
      .selectFrom('quorate.artifacts')
      .select(['id', 'name', 'kind'])
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', 'in', ['policy', 'workflow'])
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .limit(1_000)
      .execute(),
    rows: valid ? await readPage(db, scopeOf(member), { filter, from: window.from, until: window.until, before }) : [],
  }));
  const rows = found.rows.slice(0, PAGE_SIZE);
  const loaded = {
    filter,
    window: { choice, valid, from: window.from.toISOString(), until: window.until.toISOString() },
    policies: found.artifacts.filter((artifact) => artifact.kind === 'policy').map(({ id, name }) => ({ id, name })),
    workflows: found.artifacts.filter((artifact) => artifact.kind === 'workflow').map(({ id, name }) => ({ id, name })),
    rows: rows.map((row) => ({
      id: row.id,
      verdict: row.verdict,
      reason: row.reason,
      at: row.decided_at.toISOString(),
      runId: row.run_id,
      step: row.step ?? row.step_path,
      workflow: row.workflow,
      rules: readRules(row.rules),
    })),
    next: found.rows.length > PAGE_SIZE ? (rows.at(-1)?.id ?? null) : null,
  };
  return data(inReadersLanguage(context, loaded), { status: valid ? 200 : 400 });
}
export type LoadedDecisions = Awaited<ReturnType<typeof loadDecisions>>['data'];

function readPage(db: Db, scope: RunScope, wanted: { filter: DecisionFilter; from: Date; until: Date; before: string | null }) {
  const { filter, before } = wanted;
  let query = db
    .selectFrom('quorate.decisions as d')
    .where('d.workspace_id', '=', scope.workspaceId)
    .where('d.decided_at', '>=', wanted.from)
    .where('d.decided_at', '<', wanted.until);
  // The condition must be written exactly as in the partial index for decisions with a rule.
  const byRule = filter.policy !== '' || (filter.verdict !== '' && filter.verdict !== 'allow');
  if (byRule) query = query.where(sql<SqlBool>`(d.verdict <> 'allow' or d.rules <> '[]'::jsonb)`);
  if (filter.verdict !== '') query = query.where('d.verdict', '=', filter.verdict);
  if (filter.policy !== '') query = query.where(sql<SqlBool>`d.rules @> ${JSON.stringify([{ policyId: filter.policy }])}::jsonb`);
  // One's own, and those of one workflow, are reached from their newest runs: among everyone's they may be few and far between.
  if (filter.workflow !== '' || scope.own !== null) query = query.where('d.run_id', 'in', newestRuns(db, scope, wanted));
  if (before !== null)
    query = query.where(sql<SqlBool>`(d.decided_at, d.id) < (select b.decided_at, b.id from quorate.decisions b where b.id = ${before})`);
  const page = query
    .orderBy('d.decided_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(PAGE_SIZE + 1)
    .select(['d.id', 'd.verdict', 'd.reason', 'd.decided_at', 'd.run_id', 'd.step_path', 'd.rules']);
  return db
    .selectFrom(page.as('d'))
    .innerJoin('quorate.runs as r', 'r.id', 'd.run_id')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .leftJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'd.run_id').onRef('s.path', '=', 'd.step_path'))
    .orderBy('d.decided_at', 'desc')
    .orderBy('d.id', 'desc')
    .selectAll('d')
    .select(['a.name as workflow', 's.name as step'])
    .execute();
}

/** Runs that may hold the page: begun before its newest decision, and, but for the few that wait for long, not long before the window. */
function newestRuns(db: Db, { workspaceId, own }: RunScope, wanted: { filter: DecisionFilter; until: Date; before: string | null }) {
  let runs = db.selectFrom('quorate.runs as n').where('n.workspace_id', '=', workspaceId).where('n.created_at', '<', wanted.until);
  if (own !== null) runs = runs.where('n.initiator_id', '=', own);
  if (wanted.filter.workflow !== '') runs = runs.where('n.artifact_id', '=', wanted.filter.workflow);
  if (wanted.before !== null)
    runs = runs.where(sql<SqlBool>`n.created_at <= (select b.decided_at from quorate.decisions b where b.id = ${wanted.before})`);
  return runs.orderBy('n.created_at', 'desc').orderBy('n.id', 'desc').limit(RUNS_LOOKED_INTO).select('n.id');
}

const scopeOf = (member: Member): RunScope => ({
  workspaceId: member.workspace.id,
  own: can(member.roles, 'seeAllRuns') ? null : member.userId,
});
