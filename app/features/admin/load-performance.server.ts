import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { deferPanel, loadPanel } from '#app/components/page/load-panel.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { readWindow, type TimeWindow } from '#app/domain/runs/time-window.ts';
import { readPercentiles } from '#app/engine/figures/read-breakdowns.ts';
import { askEndedSteps, type StepQuery, type StepTimes, slowestSteps } from '#app/engine/figures/read-step-times.ts';
import { liveRuns, partOf, type RunScope } from '#app/engine/figures/run-scope.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> };
type LookedInto = { runs: number; peers: PeerRow[]; steps: StepTimes[] };
type PeerRow = { name: string; values: number[] | null; count: number };
type Spread = { p50: number; p95: number; p99: number; count: number };
export type PeerTimes = Spread & { name: string };
const SLOWEST = 50;

/**
 * How long things took over a window, from the journal of its live runs: runs and their wait for a worker first; steps, and peers that
 * were called, behind them where scripts can put them into place.
 */
export async function loadPerformance({ request, url, context }: Asked) {
  const { member, read } = requirePermission(context, 'seeAllRuns');
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '7d');
  const scope = { workspaceId: member.workspace.id, own: null };
  const panel = loadPanel(
    context,
    read((db) => askEndedSteps(db, scope, window, { peers: PEERS, steps: slowestSteps(SLOWEST) })).then((found) =>
      inReadersLanguage(context, belowOf(found)),
    ),
  );
  const first = await read(async (db) => ({
    runs: await readPercentiles(db, scope, window),
    wait: await readWait(db, scope, window),
  }));
  const part = partOf({ counted: first.wait?.count ?? 0, lookedInto: 0 });
  const shown = { choice, valid, from: window.from.toISOString(), until: window.until.toISOString(), part };
  const { data: below } = await deferPanel(panel, request);
  return data({ ...first, below, window: shown }, { status: valid ? 200 : 400 });
}
export type Performance = Awaited<ReturnType<typeof loadPerformance>>['data'];

function belowOf({ runs, peers, steps }: LookedInto) {
  return {
    part: partOf({ counted: 0, lookedInto: runs }),
    peers: peers.flatMap(({ name, ...row }) => {
      const times = spread(row);
      return times === null ? [] : [{ name, ...times }];
    }),
    steps,
  };
}

/** From the start of a run to its first step: what the queue costs. Null: no run began. */
async function readWait(db: Db, scope: RunScope, window: TimeWindow): Promise<Spread | null> {
  const { rows } = await sql<{ values: number[] | null; count: number }>`
    select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by date_part('epoch', r.started_at - r.created_at) * 1000) as values, count(*)::int as count
    from ${liveRuns(scope, window)} where r.started_at is not null`.execute(db);
  return spread(rows[0]);
}

const PEERS: StepQuery<PeerRow> = {
  text: sql`select c.name, g.values, g.count from (
      select e.connection_id as id, count(*)::int as count, percentile_cont(array[0.5, 0.95, 0.99]) within group (order by e.active) as values
      from e where e.connection_id is not null group by e.connection_id) g
    join quorate.connections c on c.id = g.id order by g.count desc, c.name limit ${SLOWEST}`,
};

function spread(row: { values: number[] | null; count: number } | undefined): Spread | null {
  const [p50, p95, p99] = row?.values ?? [];
  return row === undefined || p50 === undefined || p95 === undefined || p99 === undefined ? null : { p50, p95, p99, count: row.count };
}
