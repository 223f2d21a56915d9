import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Log } from '#app/contracts/ports.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { openReplayApart } from '#app/engine/policy/replay/replay-apart.ts';
import type { ReplayedRow, ReplayedRows, ReplayRow, ReplayTask } from '#app/engine/policy/replay/replay-process.ts';
import { readConnectionKinds } from '#app/engine/policy/replay-policy.ts';

/** How long one that was asked for may wait for a worker with nothing to do. */
const IDLE_MS = 1_000;
const FAILED_MS = 5_000;
const FORGET_MS = 600_000;
/** Runs of which the results are noted together: so many are looked at again after a kill. */
const RUNS_AT_ONCE = 250;
/** Runs whose decisions are read together, and decisions of one question to the process: some megabyte. */
const RUNS_READ = 50;
const DECISIONS_AT_ONCE = 500;
/** After so many decisions the results are noted, so that runs with long loops do not outlast the time for which a replay is held. */
const MOST_DECISIONS = 20_000;

export type ReplayDeps = {
  /** A transaction as the application itself, for the instance-wide list. */
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A transaction as a worker of one workspace. */
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  log: Log;
};
type Taken = { id: string; workspace_id: string; policy_id: string; fence: number };
type Begun = { from: string; until: string; cursorAt: string | null; cursorRun: string | null };
type Place = { at: string; run: string };
type Noted = { runs: number; decided: number; unreadable: number; changed: ReplayedRow[]; last: Place | null; isLast: boolean };

/** Makes the replays that people ask for, one at a time, until it is stopped. One that is left, by a kill too, is taken up again. */
export function startReplays(deps: ReplayDeps): { stop(): Promise<void> } {
  let forgotAt = Number.NEGATIVE_INFINITY;
  return repeat({
    firstMs: IDLE_MS,
    async work(stopping) {
      if (performance.now() - forgotAt > FORGET_MS) {
        await deps.asApp((db) => sql`select quorate.forget_policy_replays()`.execute(db));
        forgotAt = performance.now();
      }
      return (await runNextReplay(deps, stopping)) ? 0 : IDLE_MS;
    },
    failed(error) {
      deps.log.error('a replay of decisions was left', { error });
      return FAILED_MS;
    },
  });
}

/** Takes up the replay that has waited longest and makes it. Returns false where none waits. `stopping`: it is left where it is. */
export async function runNextReplay(deps: ReplayDeps, stopping: AbortSignal): Promise<boolean> {
  const { rows } = await deps.asApp((db) => sql<Taken>`select * from quorate.take_policy_replay()`.execute(db));
  const [taken] = rows;
  if (taken === undefined) return false;
  try {
    await makeReplay(deps, taken, stopping);
  } finally {
    // where it is not over, the next worker need not wait until the time of this one is
    await held(deps, taken, sql`quorate.leave_policy_replay`, sql``);
  }
  return true;
}

async function makeReplay(deps: ReplayDeps, taken: Taken, stopping: AbortSignal): Promise<void> {
  const apart = await openReplayApart(await deps.asWorker(taken.workspace_id, (db) => readTask(db, taken)));
  try {
    if (apart.version === null) return void (await held(deps, taken, sql`quorate.fail_policy_replay`, sql``));
    const begun = await held<Begun | null>(deps, taken, sql`quorate.begin_policy_replay`, sql`, ${apart.version}`);
    if (begun === null) return;
    let after: Place | null = begun.cursorAt !== null && begun.cursorRun !== null ? { at: begun.cursorAt, run: begun.cursorRun } : null;
    for (let goesOn = true; goesOn && !stopping.aborted; ) {
      const { last, isLast, ...noted } = await replayRuns(deps, taken, { begun, after, decide: apart.decide });
      const content = JSON.stringify({ ...noted, cursorAt: last?.at, cursorRun: last?.run });
      // not where somebody has cancelled it, nor where another worker has taken it over
      const isHeld = await held<boolean>(deps, taken, sql`quorate.note_policy_replay`, sql`, ${content}::json, ${isLast}`);
      goesOn = isHeld && !isLast;
      after = last;
    }
  } finally {
    apart.close();
  }
}

/** Calls a function of the database that acts on a replay only as long as this worker holds it. */
async function held<Answer>(
  { asWorker }: ReplayDeps,
  { id, workspace_id, fence }: Taken,
  name: RawBuilder<unknown>,
  more: RawBuilder<unknown>,
): Promise<Answer> {
  const { rows } = await asWorker(workspace_id, (db) =>
    sql<{ answer: Answer }>`select ${name}(${workspace_id}, ${id}, ${fence}${more}) as answer`.execute(db),
  );
  return rows[0]?.answer as Answer;
}

/** The text in place of its policy, beside all others in force, and what a decision needs besides. */
async function readTask(db: Db, { id, workspace_id: workspaceId, policy_id: policyId }: Taken): Promise<ReplayTask> {
  const { text } = await db.selectFrom('quorate.policy_replays').select('text').where('id', '=', id).executeTakeFirstOrThrow();
  const { name } = await db.selectFrom('quorate.artifacts').select('name').where('id', '=', policyId).executeTakeFirstOrThrow();
  const others = (await loadPolicySources(db)).filter((source) => source.policyId !== policyId);
  return {
    workspaceId,
    sources: [...others, { policyId, policyName: name, version: 0, text }],
    schemas: await loadToolSchemas(db, workspaceId),
    kinds: await readConnectionKinds(db, workspaceId),
  };
}

type Batch = { begun: Begun; after: Place | null; decide(rows: readonly ReplayRow[]): Promise<ReplayedRows> };

/** The next runs, the newest first, with all their decisions. Each read is a transaction of its own, so that none is open while it decides. */
async function replayRuns({ asWorker }: ReplayDeps, { workspace_id }: Taken, { begun, after, decide }: Batch): Promise<Noted> {
  const { rows: runs } = await asWorker(workspace_id, (db) =>
    sql<Place>`
      select r.id as run, r.created_at::text as at from quorate.runs r
      where r.workspace_id = ${workspace_id} and r.mode = 'live' and r.created_at >= ${begun.from}::timestamptz
        and (r.created_at, r.id) < (${after?.at ?? begun.until}::timestamptz, ${after?.run ?? FIRST}::uuid)
      order by r.created_at desc, r.id desc limit ${RUNS_AT_ONCE}`.execute(db),
  );
  const noted: Noted = { runs: 0, decided: 0, unreadable: 0, changed: [], last: after, isLast: false };
  while (noted.runs < runs.length && noted.decided + noted.unreadable < MOST_DECISIONS) {
    const next = runs.slice(noted.runs, noted.runs + RUNS_READ);
    const ids = next.map(({ run }) => run);
    let behind: StoredRow | undefined;
    do {
      const from: StoredRow | undefined = behind;
      const read = await asWorker(workspace_id, (db) => readDecisions(db, ids, from));
      if (read.length > 0) add(noted, await decide(read.map(({ at: _, ...row }) => row)));
      behind = read.length === DECISIONS_AT_ONCE ? read.at(-1) : undefined;
    } while (behind !== undefined);
    noted.runs += next.length;
    noted.last = next.at(-1) ?? noted.last;
  }
  return { ...noted, isLast: runs.length < RUNS_AT_ONCE && noted.runs === runs.length };
}

function add(noted: Noted, { decided, unreadable, changed }: ReplayedRows): void {
  noted.decided += decided;
  noted.unreadable += unreadable;
  noted.changed.push(...changed);
}

/** After every other id: nothing that was started at the end of the time is looked at. */
const FIRST = '00000000-0000-0000-0000-000000000000';

type StoredRow = ReplayRow & { at: string };

async function readDecisions(db: Db, runs: readonly string[], behind: StoredRow | undefined): Promise<StoredRow[]> {
  const place =
    behind === undefined
      ? sql`true`
      : sql`(d.run_id, d.decided_at, d.id) > (${behind.runId}::uuid, ${behind.at}::timestamptz, ${behind.id}::uuid)`;
  const { rows } = await sql<StoredRow>`
    select d.id, d.run_id as "runId", d.step_path as path, d.action, d.verdict, d.reason::text as reason, d.context::text as context,
      d.decided_at::text as at
    from quorate.decisions d where d.run_id = any(${runs}::uuid[]) and ${place}
    order by d.run_id, d.decided_at, d.id limit ${DECISIONS_AT_ONCE}`.execute(db);
  return rows;
}
