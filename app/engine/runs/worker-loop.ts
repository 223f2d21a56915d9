import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log, NewId, Sealer } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import type { ClaimAnswer } from '#app/domain/runs/claim.ts';
import type { RunJob, RunQueue } from '#app/domain/runs/run-queue.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createDocumentCache } from '#app/engine/runs/document-cache.ts';
import { executeRun } from '#app/engine/runs/execute-run.ts';
import { createFairStatements } from '#app/engine/runs/fair-statements.ts';
import { createRunConfigs } from '#app/engine/runs/run-config.ts';
import { createRunStore, isFenceLost, isPassing, type Statement } from '#app/engine/runs/run-store.ts';
import { changeOfClaim, type ReportChange, reportingStore } from '#app/engine/runs/waiting/report-changes.ts';

export type RunWorkerDeps = {
  statement: Statement;
  queue: RunQueue;
  callPeer: CallPeer;
  sealer: Sealer;
  newId: NewId;
  clock: Clock;
  log: Log;
  /** Requests a check of a connection whose tool no longer matches its approved definition. */
  requestCheck?: (workspaceId: string, connectionId: string) => Promise<void>;
  /** Hears of each change of a run once it is committed. */
  report?: ReportChange;
  /** Runs driven at once; most of them wait for a peer. */
  maxInFlight?: number;
  /** The most runs of one workspace that all workers together drive at once. Null: any number. */
  runsAtOnceCeiling?: number | null;
  /** Hears by which id runs may be claimed for this worker and handed to `drive`; null: no longer, others are in line before them. */
  takes?: ((workerId: string | null) => void) | undefined;
};
export type RunWorker = {
  workerId: string;
  inFlight(): number;
  /** A run that was claimed for this worker as it started, and no job says so. */
  execute(run: RunRef, claimed: ClaimAnswer): void;
  stop(): Promise<void>;
};

const MAX_IN_FLIGHT = 1_500;
/** The share of the places for workspaces below their share. */
const RESERVED_SHARE = 0.1;
/** One connection of the worker's pool is left for everything else. */
const STATEMENTS_AT_ONCE = 5;
const FETCH_BATCH = 100;
/** The look without a notification: for jobs that were due later, and for a lost notification. */
const POLL_MS = 500;
/** Each start notifies every worker: what comes within this time is fetched at once. Longer where there is much to do, or others are quicker. */
const FETCH_GAP_MS = 8;
const FETCH_GAP_BUSY_MS = 16;
const BUSY_RUNS = 20;
const SETTLE_MS = 75;
const WATCH_MS = 1_000;
const RENEW_MS = 1_000;
/** After an outage of the database everyone finds everyone lost until they have renewed, which takes them a second or two. */
const LOOKS = 4;
const TOUCH_MS = 5_000;
const STOP_WITHIN_MS = 3_000;
const FAILURES_BEFORE_PAUSE = 3;
/** A run that ends in a defect this often in a row is closed as failed. */
const FAILURES_BEFORE_END = 6;

type InFlight = {
  run: RunRef;
  since: number;
  cancel: AbortController;
  lost: AbortController;
  jobIds: string[];
  again: boolean;
  /** It was claimed before it came here. */
  claimed: ClaimAnswer | null;
};

/**
 * Fetches jobs and drives their runs, as many at once as the limit allows, until stopped. Any number of workers share the
 * work: each holds a lock in a session of its own and renews a lease, and whoever sees another without them takes over its runs.
 */
export async function startRunWorker(deps: RunWorkerDeps): Promise<RunWorker> {
  const { queue, log, clock, newId } = deps;
  const workerId = newId();
  const maxInFlight = deps.maxInFlight ?? MAX_IN_FLIGHT;
  const ceiling = deps.runsAtOnceCeiling ?? null;
  const reserved = Math.ceil(maxInFlight * RESERVED_SHARE);
  const letGo = new AbortController();
  const ended = new AbortController();
  const ownStore = createRunStore({ statement: createFairStatements(deps.statement, STATEMENTS_AT_ONCE), log, signal: ended.signal });
  const store = deps.report === undefined ? ownStore : reportingStore(ownStore, deps.report);
  const configs = createRunConfigs(store, () => clock.now().getTime());
  const readDocument = createDocumentCache(store);
  const { callPeer, sealer, requestCheck } = deps;
  const driveDeps = { store, configs, callPeer, sealer, clock, newId, log, queue, readDocument, requestCheck };
  const inFlight = new Map<string, InFlight>();
  const failures = new Map<string, number>();
  let done: string[] = [];
  let stopping = false;
  let wakeLoop: (() => void) | null = null;
  let dirty = false;
  /** True while the last look into the queue took all of it. */
  let drained = false;

  function kick(): void {
    dirty = true;
    wakeLoop?.();
  }

  let taking = false;
  /** Nothing in line, and room: a run that starts beside this worker passes nobody by. */
  function tellWhetherItTakes(): void {
    const takes = drained && !stopping && inFlight.size < maxInFlight - reserved;
    if (takes === taking) return;
    taking = takes;
    deps.takes?.(takes ? workerId : null);
  }

  function accept(run: RunRef, jobId: string | null, claimed: ClaimAnswer | null = null): void {
    const driving = inFlight.get(run.runId);
    if (driving !== undefined) {
      // it walks once more before it waits; and where it has just let go of the run, it takes it up again
      driving.again = true;
      if (jobId !== null) driving.jobIds.push(jobId);
      store.wake(run).catch((error: unknown) => log.warn('a run was not woken', { runId: run.runId, reason: reasonOf(error) }));
      return;
    }
    const entry: InFlight = {
      run,
      since: clock.now().getTime(),
      cancel: new AbortController(),
      lost: new AbortController(),
      jobIds: jobId === null ? [] : [jobId],
      again: false,
      claimed,
    };
    inFlight.set(run.runId, entry);
    tellWhetherItTakes();
    void executeEntry(entry);
  }

  /** Between the last look at `again` and the end of the entry nothing may be awaited: a job in between would be lost. */
  async function executeEntry(entry: InFlight): Promise<void> {
    do {
      entry.again = false;
      await driveOnce(entry);
    } while (entry.again && !stopping);
    inFlight.delete(entry.run.runId);
    tellWhetherItTakes();
    done.push(...entry.jobIds);
    if (inFlight.size >= maxInFlight - reserved - 1) kick();
  }

  /** The claim of this worker: the one made at the start of the run, or a new one. */
  async function claimOf(entry: InFlight): Promise<ClaimAnswer> {
    const { run, claimed } = entry;
    if (claimed === null) return store.claim(run, workerId, ceiling);
    entry.claimed = null;
    deps.report?.(run.runId, changeOfClaim(claimed) ?? 'unknown');
    return claimed;
  }

  async function driveOnce(entry: InFlight): Promise<void> {
    const { run, cancel, lost } = entry;
    try {
      for (;;) {
        const { claim, limited, granted } = await claimOf(entry);
        await readmit(run.workspaceId, granted);
        if (claim.state !== 'claimed') break;
        const broken = (failures.get(run.runId) ?? 0) >= FAILURES_BEFORE_END;
        const driven = await executeRun({ ...driveDeps, broken }, run, claim, {
          cancel: cancel.signal,
          letGo: AbortSignal.any([letGo.signal, lost.signal]),
        });
        if (limited && driven !== 'wake') await readmit(run.workspaceId, await store.freePlace(run.workspaceId, ceiling));
        if (driven !== 'wake') break;
      }
      failures.delete(run.runId);
    } catch (error) {
      if (isFenceLost(error) || stopping) return;
      // the run stays claimed: the watch finds it and drives it again
      const count = (failures.get(run.runId) ?? 0) + 1;
      if (!isPassing(error)) {
        failures.set(run.runId, count);
        log.error('a run could not be driven', { runId: run.runId, count, error });
      }
      await pause(Math.min(30_000, 100 * 2 ** count), undefined, { signal: letGo.signal }).catch(() => undefined);
    }
  }

  /** Runs that waited for a free place and got one. Lost on the way, they are found as stalled. */
  async function readmit(workspaceId: string, runIds: readonly string[]): Promise<void> {
    if (runIds.length > 0)
      await queue.send(
        runIds.map((runId) => ({ runId, workspaceId })),
        { readmits: true },
      );
  }

  const presence = await queue.join(workerId, kick);
  await queue.renew(workerId);

  const fetching = (async () => {
    let trouble = 0;
    let fetchedAt = 0;
    while (!stopping) {
      dirty = false;
      let jobs: RunJob[] = [];
      const room = maxInFlight - inFlight.size;
      if (room > 0) {
        try {
          fetchedAt = performance.now();
          const free = room - reserved;
          jobs = free > 0 ? await queue.fetch(Math.min(free, FETCH_BATCH)) : await fetchForOthers(room);
          trouble = 0;
          drained = free > 0 && jobs.length < Math.min(free, FETCH_BATCH);
          tellWhetherItTakes();
        } catch (error) {
          trouble += 1;
          if (trouble === FAILURES_BEFORE_PAUSE) log.warn('jobs cannot be fetched', { reason: reasonOf(error) });
          await pause(Math.min(1_000, 50 * 2 ** trouble));
          continue;
        }
      }
      for (const job of jobs) accept({ runId: job.runId, workspaceId: job.workspaceId }, job.jobId);
      // a full batch: there may be more; otherwise whatever comes is notified
      if (jobs.length === FETCH_BATCH && room - reserved > jobs.length) continue;
      if (!dirty || room <= 0) await sleepUntilKicked();
      const gap = jobs.length === 0 || inFlight.size > BUSY_RUNS ? FETCH_GAP_BUSY_MS : FETCH_GAP_MS;
      const early = fetchedAt + gap - performance.now();
      if (early > 0 && !stopping) await pause(early);
    }
  })();

  /**
   * The last places are for workspaces that hold less than their share, so that long runs of one never keep the others out. Each
   * workspace with a backlog stands near the head of the queue: nothing has to be walked to find them.
   */
  async function fetchForOthers(room: number): Promise<RunJob[]> {
    const held = new Map<string, number>();
    for (const { run } of inFlight.values()) held.set(run.workspaceId, (held.get(run.workspaceId) ?? 0) + 1);
    const next = await queue.peek(FETCH_BATCH);
    const share = maxInFlight / (new Set([...held.keys(), ...next.map(({ workspaceId }) => workspaceId)]).size + 1);
    const jobs: RunJob[] = [];
    for (const { workspaceId, place } of next) {
      const holds = held.get(workspaceId) ?? 0;
      if (jobs.length >= room) break;
      if (holds >= share) continue;
      held.set(workspaceId, holds + 1);
      jobs.push(...(await queue.fetch(1, place)));
    }
    return jobs;
  }

  async function sleepUntilKicked(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeLoop = resolve;
    const timer = setTimeout(resolve, POLL_MS);
    await promise;
    clearTimeout(timer);
    wakeLoop = null;
  }

  async function settle(): Promise<void> {
    if (done.length === 0) return;
    const batch = done;
    done = [];
    try {
      await queue.complete(batch);
    } catch (error) {
      // a job that is not completed comes again, and then its run is found to be over
      log.warn('jobs not completed', { count: batch.length, reason: reasonOf(error) });
    }
  }

  /** How many looks in a row found each of them lost. */
  let suspects = new Map<string, number>();
  async function watch(): Promise<void> {
    for (const runId of await store.listCancelled(workerId)) inFlight.get(runId)?.cancel.abort();
    for (const run of await store.listClaimed(workerId)) if (!inFlight.has(run.runId) && inFlight.size < maxInFlight) accept(run, null);
    const admitted = [...(await store.freePlaces(ceiling)), ...(await store.freeCalls())];
    if (admitted.length > 0) await queue.send(admitted, { readmits: true });
    if (drained) {
      const stalled = await store.listStalled();
      if (stalled.length > 0) await queue.send(stalled);
    }
  }

  /** Apart from `watch`, on the queue's own connections: a worker with much to do still finds those that are lost. */
  async function takeOverLost(): Promise<void> {
    const lost = await queue.listLost(workerId);
    for (const other of lost) {
      if ((suspects.get(other) ?? 0) < LOOKS - 1) continue;
      const count = await queue.takeOver(other);
      if (count > 0) log.info('took over from a lost worker', { workerId, lost: other, runs: count });
    }
    suspects = new Map(lost.map((other) => [other, (suspects.get(other) ?? 0) + 1]));
  }

  /** Silent for too long, this worker may hold runs that others execute by now: results of its calls are of no use any longer. */
  async function renew(): Promise<void> {
    if (await queue.renew(workerId)) return;
    log.warn('the lease ran out: letting go of all runs', { workerId, runs: inFlight.size });
    for (const entry of inFlight.values()) {
      entry.lost.abort();
      // the next statement learns from the fence whether this run is still ours
      entry.lost = new AbortController();
      entry.again = true;
    }
  }

  async function touch(): Promise<void> {
    const now = clock.now().getTime();
    const ids = [...inFlight.values()].filter((entry) => now - entry.since > TOUCH_MS).flatMap((entry) => entry.jobIds);
    if (ids.length > 0) await queue.touch(ids);
  }

  const loops = [
    every(SETTLE_MS, settle),
    every(WATCH_MS, watch),
    every(RENEW_MS, renew),
    every(WATCH_MS, takeOverLost),
    every(TOUCH_MS, touch),
  ];
  function every(ms: number, work: () => Promise<void>): Promise<void> {
    return (async () => {
      while (!stopping) {
        await pause(ms, undefined, { signal: letGo.signal }).catch(() => undefined);
        if (stopping) return;
        await work().catch((error: unknown) => log.warn('worker loop', { work: work.name, reason: reasonOf(error) }));
      }
    })();
  }

  return {
    workerId,
    inFlight: () => inFlight.size,
    execute(run, claimed) {
      // one that comes too late is taken over with everything else that this worker has claimed
      if (!stopping) accept(run, null, claimed);
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      tellWhetherItTakes();
      letGo.abort();
      wakeLoop?.();
      const deadline = Date.now() + STOP_WITHIN_MS;
      // statements are repeated while the database is away: without an end the loops would wait for it
      const late = setTimeout(() => ended.abort(), STOP_WITHIN_MS);
      await Promise.all([fetching, ...loops]);
      clearTimeout(late);
      while (inFlight.size > 0 && Date.now() < deadline) await pause(20);
      ended.abort();
      await settle();
      // with its lock gone, the others take over its runs
      await presence.leave();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200);
}
