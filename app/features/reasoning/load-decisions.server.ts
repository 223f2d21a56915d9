import { type SqlBool, sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { csvResponse, MOST_EXPORTED } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { NO_COUNTS } from '#app/contracts/facet-counts.ts';
import type { Member } from '#app/contracts/principals.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { VERDICTS } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import { readWindow } from '#app/domain/runs/time-window.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { RUNS_LOOKED_INTO, type RunScope } from '#app/engine/figures/run-scope.ts';
import { cutPage, placeInList } from '#app/engine/lists/list-place.ts';
import { loadListState } from '#app/engine/lists/list-state.ts';
import { takeTable } from '#app/evidence.server.ts';
import { type DecisionFilter, readDecisionFilter } from '#app/features/reasoning/decision-filter.ts';
import type { DecidingRule } from '#app/features/reasoning/decision-path.ts';

const PAGE_SIZE = 50;
const DECISIONS: ListAddress = {
  name: 'decisions',
  path: href('/dashboard/ai-reasoning'),
  params: ['verdict', 'policy', 'workflow', 'window', 'from', 'until'],
};
/** Newest first and no other way: of one workflow they are found by way of its newest runs. */
const SORT = { by: 'at', descending: true } as const;
type Context = Readonly<RouterContextProvider>;

const rulesSchema = z.array(
  z.object({ policyId: z.string(), policyName: z.string(), version: z.number(), rule: z.string(), verdict: z.enum(VERDICTS) }),
);
/** The rules of a decision's row; none where this version cannot read them. */
export function readRules(value: unknown): DecidingRule[] {
  return rulesSchema.safeParse(value).data ?? [];
}

/** Every decision that the member may see, newest first, a page at a time. */
export async function loadDecisions({ url, context }: { url: URL; context: Context }) {
  const { member, read } = context.get(memberContext);
  const { artifacts, list, ...found } = await read(async (db) => ({
    ...(await readDecisions(db, context, url.searchParams)),
    artifacts: await db
      .selectFrom('quorate.artifacts')
      .select(['id', 'name', 'kind'])
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', 'in', ['policy', 'workflow', 'gateway'])
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .limit(1_000)
      .execute(),
  }));
  const named = (...kinds: string[]) => artifacts.filter(({ kind }) => kinds.includes(kind)).map(({ id, name }) => ({ id, name }));
  const loaded = inReadersLanguage(context, { ...found, policies: named('policy'), workflows: named('workflow', 'gateway') });
  return data({ ...loaded, list }, { status: found.window.valid ? 200 : 400 });
}
export type LoadedDecisions = Awaited<ReturnType<typeof loadDecisions>>['data'];

export type DecisionRow = LoadedDecisions['rows'][number];

const COLUMNS: readonly CsvColumn<DecisionRow>[] = [
  ['decision_id', (row) => row.id],
  ['decided_at', (row) => row.at, 'at'],
  ['verdict', (row) => row.verdict, 'verdict'],
  ['rules', (row) => row.rules.map(({ policyName, rule }) => `${policyName}: ${rule}`).join('; '), 'rule'],
  ['workflow', (row) => row.workflow, 'run'],
  ['step', (row) => row.step, 'run'],
  ['run_id', (row) => row.runId, 'run'],
];

/** The decisions that the filters leave as CSV. More than a page of everybody’s leaves when another person has agreed. */
export async function downloadDecisions(context: Context, url: URL): Promise<Response> {
  const found = await context.get(memberContext).read((db) => readDecisions(db, context, url.searchParams, MOST_EXPORTED));
  const { rows, list } = inReadersLanguage(context, found);
  if (can(context.get(memberContext).member.roles, 'seeAllRuns')) await takeTable(context, 'decisions', url, rows.length);
  return csvResponse(list.name, writeListCsv(COLUMNS, rows, list.hidden));
}

async function readDecisions(db: Db, context: Context, params: URLSearchParams, limit = PAGE_SIZE) {
  const { member } = context.get(memberContext);
  const { window, choice, valid } = readWindow(params, context.get(servicesContext).now(), '30d');
  const filter = readDecisionFilter(params);
  const asked = { filter, from: window.from, until: window.until, after: params.get('after'), limit };
  const state = await loadListState(db, { workspaceId: member.workspace.id, userId: member.userId }, DECISIONS, params);
  const { shown, next } = cutPage(valid ? await readPage(db, scopeOf(member), asked) : [], limit);
  return {
    filter,
    window: { choice, valid, from: window.from.toISOString(), until: window.until.toISOString() },
    list: { ...state, sort: SORT, next, counts: NO_COUNTS },
    rows: shown.map((row) => ({
      id: row.id,
      verdict: row.verdict,
      reason: row.reason,
      at: row.decided_at.toISOString(),
      runId: row.run_id,
      step: row.step ?? row.step_path,
      workflow: row.workflow,
      rules: readRules(row.rules),
    })),
  };
}

type Asked = { filter: DecisionFilter; from: Date; until: Date; after: string | null; limit: number };

function readPage(db: Db, scope: RunScope, wanted: Asked) {
  const { filter } = wanted;
  const place = placeInList({ at: { by: sql`d.decided_at`, as: 'timestamptz' } }, SORT, sql`d.id`, wanted.after);
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
  const page = query
    .where(place.behind)
    .orderBy('d.decided_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(wanted.limit + 1)
    .select(['d.id', 'd.verdict', 'd.reason', 'd.decided_at', 'd.run_id', 'd.step_path', 'd.rules', place.key.as('key')]);
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
function newestRuns(db: Db, { workspaceId, own }: RunScope, wanted: Asked) {
  let runs = db.selectFrom('quorate.runs as n').where('n.workspace_id', '=', workspaceId).where('n.created_at', '<', wanted.until);
  if (own !== null) runs = runs.where('n.initiator_id', '=', own);
  if (wanted.filter.workflow !== '') runs = runs.where('n.artifact_id', '=', wanted.filter.workflow);
  const last = z.uuid().safeParse(wanted.after?.slice(0, 36)).data;
  if (last !== undefined)
    runs = runs.where(sql<SqlBool>`n.created_at <= (select b.decided_at from quorate.decisions b where b.id = ${last})`);
  return runs.orderBy('n.created_at', 'desc').orderBy('n.id', 'desc').limit(RUNS_LOOKED_INTO).select('n.id');
}

const scopeOf = (member: Member): RunScope => ({
  workspaceId: member.workspace.id,
  own: can(member.roles, 'seeAllRuns') ? null : member.userId,
});
