import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { readWindow, type TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';
import { readPercentiles } from '#app/engine/figures/read-breakdowns.ts';
import { askEndedSteps, type StepQuery, slowestSteps } from '#app/engine/figures/read-step-times.ts';
import { liveRuns, partOf, type RunScope } from '#app/engine/figures/run-scope.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { servicesContext } from '#app/request-context.ts';

type Spread = { p50: number; p95: number; p99: number; count: number };
export type PeerTimes = Spread & { name: string };
const SLOWEST = 50;

/** How long things took over a window, from the journal of its live runs: runs, their wait for a worker, steps, and peers that were called. */
export async function loadPerformance({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = requirePermission(context, 'seeAllRuns');
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '7d');
  const scope = { workspaceId: member.workspace.id, own: null };
  const { looked, ...found } = await read(async (db) => ({
    runs: await readPercentiles(db, scope, window),
    wait: await readWait(db, scope, window),
    looked: await askEndedSteps(db, scope, window, { peers: PEERS, steps: slowestSteps(SLOWEST) }),
  }));
  const part = partOf({ counted: found.wait?.count ?? 0, lookedInto: looked.runs });
  const shown = { choice, valid, from: window.from.toISOString(), until: window.until.toISOString(), part };
  const peers = looked.peers.flatMap(({ name, ...row }) => {
    const times = spread(row);
    return times === null ? [] : [{ name, ...times }];
  });
  return data({ ...found, peers, steps: looked.steps, window: shown }, { status: valid ? 200 : 400 });
}
export type Performance = Awaited<ReturnType<typeof loadPerformance>>['data'];

/** From the start of a run to its first step: what the queue costs. Null: no run began. */
async function readWait(db: Db, scope: RunScope, window: TimeWindow): Promise<Spread | null> {
  const { rows } = await sql<{ values: number[] | null; count: number }>`
    select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by date_part('epoch', r.started_at - r.created_at) * 1000) as values, count(*)::int as count
    from ${liveRuns(scope, window)} where r.started_at is not null`.execute(db);
  return spread(rows[0]);
}

const PEERS: StepQuery<{ name: string; values: number[] | null; count: number }> = {
  text: sql`select c.name, g.values, g.count from (
      select e.connection_id as id, count(*)::int as count, percentile_cont(array[0.5, 0.95, 0.99]) within group (order by e.active) as values
      from e where e.connection_id is not null group by e.connection_id) g
    join quorate.connections c on c.id = g.id order by g.count desc, c.name limit ${SLOWEST}`,
};

function spread(row: { values: number[] | null; count: number } | undefined): Spread | null {
  const [p50, p95, p99] = row?.values ?? [];
  return row === undefined || p50 === undefined || p95 === undefined || p99 === undefined ? null : { p50, p95, p99, count: row.count };
}
