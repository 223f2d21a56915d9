import { setTimeout as pause } from 'node:timers/promises';
import type { Callbacks, Clock, FileStore, Log, NewId, ScanFile, Sealer } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import type { SignIns } from '#app/contracts/sign-ins.ts';
import type { RunCounts } from '#app/domain/metrics/run-counts.ts';
import type { ClaimAnswer } from '#app/domain/runs/claim.ts';
import type { RunJob, RunQueue } from '#app/domain/runs/run-queue.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createRunCounter, type RunCounter } from '#app/engine/health/count-runs.ts';
import { type Repeated, repeat } from '#app/engine/jobs/repeat.ts';
import { createDocumentCache } from '#app/engine/runs/document-cache.ts';
import { executeRun } from '#app/engine/runs/execute-run.ts';
import { createFairStatements } from '#app/engine/runs/fair-statements.ts';
import { createRunConfigs } from '#app/engine/runs/run-config.ts';
import { createRunStore, isFenceLost, isPassing, type RunStore, type Statement } from '#app/engine/runs/run-store.ts';
import { createPartialTexts, type PartialTexts } from '#app/engine/runs/waiting/partial-texts.ts';
import { changeOfClaim, type ReportChange, reportingStore } from '#app/engine/runs/waiting/report-changes.ts';

export type RunWorkerDeps = {
  statement: Statement;
  queue: RunQueue;
  callPeer: CallPeer;
  sealer: Sealer;
  /** Absent where no connection signs in by OAuth. */
  signIns?: Pick<SignIns, 'token'>;
  files: FileStore;
  scanFile: ScanFile;
  newId: NewId;
  clock: Clock;
  log: Log;
  /** Absent where nothing can come in. */
  callbacks?: Callbacks;
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
  counts(): RunCounts;
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
  const worker = new Worker(deps);
  await worker.begin();
  return {
    workerId: worker.id,
    inFlight: () => worker.count(),
    counts: () => worker.counter.read(),
    execute: (run, claimed) => worker.execute(run, claimed),
    stop: () => worker.stop(),
  };
}

class Worker {
  readonly id: string;
  readonly counter: RunCounter = createRunCounter();
  readonly #deps: RunWorkerDeps;
  readonly #queue: RunQueue;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #maxInFlight: number;
  readonly #ceiling: number | null;
  readonly #reserved: number;
  readonly #letGo = new AbortController();
  readonly #ended = new AbortController();
  readonly #store: RunStore;
  readonly #texts: PartialTexts;
  readonly #driveDeps: Parameters<typeof executeRun>[0];
  readonly #inFlight = new Map<string, InFlight>();
  readonly #failures = new Map<string, number>();
  #done: string[] = [];
  #stopping = false;
  #wakeLoop: (() => void) | null = null;
  #dirty = false;
  /** True while the last look into the queue took all of it. */
  #drained = false;
  #taking = false;
  /** How many looks in a row found each of them lost. */
  #suspects = new Map<string, number>();
  #presence: Awaited<ReturnType<RunQueue['join']>> | undefined;
  #fetching: Promise<void> | undefined;
  #loops: Repeated[] = [];

  constructor(deps: RunWorkerDeps) {
    const { queue, log, clock, newId, callPeer, sealer, files, scanFile, requestCheck, callbacks, report, signIns } = deps;
    this.#deps = deps;
    this.#queue = queue;
    this.#log = log;
    this.#clock = clock;
    this.id = newId();
    this.#maxInFlight = deps.maxInFlight ?? MAX_IN_FLIGHT;
    this.#ceiling = deps.runsAtOnceCeiling ?? null;
    this.#reserved = Math.ceil(this.#maxInFlight * RESERVED_SHARE);
    const ownStore = createRunStore({
      statement: createFairStatements(deps.statement, STATEMENTS_AT_ONCE),
      log,
      signal: this.#ended.signal,
    });
    const counted = this.counter.store(ownStore);
    const store = report === undefined ? counted : reportingStore(counted, report);
    this.#texts = createPartialTexts({ statement: deps.statement, report: report ?? (() => undefined), clock, log });
    const configs = createRunConfigs(store, () => clock.now().getTime());
    this.#store = store;
    this.#driveDeps = {
      store,
      configs,
      callPeer,
      sealer,
      files,
      scanFile,
      clock,
      newId,
      log,
      queue,
      readDocument: createDocumentCache(store),
      texts: this.#texts,
      requestCheck,
      callbacks,
      signIns,
    };
  }

  async begin(): Promise<void> {
    this.#presence = await this.#queue.join(this.id, () => this.#kick());
    await this.#queue.renew(this.id);
    this.#fetching = this.#fetchJobs();
    this.#loops = [
      this.#every(SETTLE_MS, 'settle', () => this.#settle()),
      this.#every(WATCH_MS, 'watch', () => this.#watch()),
      this.#every(RENEW_MS, 'renew', () => this.#renew()),
      this.#every(WATCH_MS, 'takeOverLost', () => this.#takeOverLost()),
      this.#every(TOUCH_MS, 'touch', () => this.#touch()),
    ];
  }

  count(): number {
    return this.#inFlight.size;
  }

  #kick(): void {
    this.#dirty = true;
    this.#wakeLoop?.();
  }

  /** Nothing in line, and room: a run that starts beside this worker passes nobody by. */
  #announceReadiness(): void {
    const takes = this.#drained && !this.#stopping && this.#inFlight.size < this.#maxInFlight - this.#reserved;
    if (takes === this.#taking) return;
    this.#taking = takes;
    this.#deps.takes?.(takes ? this.id : null);
  }

  #accept(run: RunRef, jobId: string | null, claimed: ClaimAnswer | null = null): void {
    const inFlight = this.#inFlight.get(run.runId);
    if (inFlight !== undefined) {
      // it walks once more before it waits; and where it has just let go of the run, it takes it up again
      inFlight.again = true;
      if (jobId !== null) inFlight.jobIds.push(jobId);
      this.#store.wake(run).catch((error: unknown) => this.#log.warn('a run was not woken', { runId: run.runId, reason: reasonOf(error) }));
      return;
    }
    const entry: InFlight = {
      run,
      since: this.#clock.now().getTime(),
      cancel: new AbortController(),
      lost: new AbortController(),
      jobIds: jobId === null ? [] : [jobId],
      again: false,
      claimed,
    };
    this.#inFlight.set(run.runId, entry);
    this.#announceReadiness();
    void this.#executeEntry(entry);
  }

  /** Between the last look at `again` and the end of the entry nothing may be awaited: a job in between would be lost. */
  async #executeEntry(entry: InFlight): Promise<void> {
    do {
      entry.again = false;
      await this.#executeOnce(entry);
    } while (entry.again && !this.#stopping);
    this.#inFlight.delete(entry.run.runId);
    this.#announceReadiness();
    this.#done.push(...entry.jobIds);
    if (this.#inFlight.size >= this.#maxInFlight - this.#reserved - 1) this.#kick();
  }

  /** The claim of this worker: the one made at the start of the run, or a new one. */
  async #claimOf(entry: InFlight): Promise<ClaimAnswer> {
    const { run, claimed } = entry;
    if (claimed === null) return this.#store.claim(run, this.id, this.#ceiling);
    entry.claimed = null;
    this.#deps.report?.(run.runId, changeOfClaim(claimed) ?? 'unknown');
    return claimed;
  }

  async #executeOnce(entry: InFlight): Promise<void> {
    const { run, lost } = entry;
    try {
      for (;;) {
        // A cancellation is seen by the claim that follows it; one that comes later ends this drive.
        const cancel = new AbortController();
        entry.cancel = cancel;
        const { claim, limited, granted } = await this.#claimOf(entry);
        await this.#readmit(run.workspaceId, granted);
        if (claim.state !== 'claimed') break;
        const broken = (this.#failures.get(run.runId) ?? 0) >= FAILURES_BEFORE_END;
        const driven = await executeRun({ ...this.#driveDeps, broken }, run, claim, {
          cancel: cancel.signal,
          letGo: AbortSignal.any([this.#letGo.signal, lost.signal]),
        });
        if (limited && driven !== 'wake') await this.#readmit(run.workspaceId, await this.#store.freePlace(run.workspaceId, this.#ceiling));
        if (driven !== 'wake') break;
      }
      this.#failures.delete(run.runId);
    } catch (error) {
      if (isFenceLost(error) || this.#stopping) return;
      // the run stays claimed: the watch finds it and drives it again
      const count = (this.#failures.get(run.runId) ?? 0) + 1;
      if (!isPassing(error)) {
        this.#failures.set(run.runId, count);
        this.#log.error('a run could not be driven', { runId: run.runId, count, error });
      }
      await pause(Math.min(30_000, 100 * 2 ** count), undefined, { signal: this.#letGo.signal }).catch(() => undefined);
    }
  }

  /** Runs that waited for a free place and got one. Lost on the way, they are found as stalled. */
  async #readmit(workspaceId: string, runIds: readonly string[]): Promise<void> {
    if (runIds.length > 0)
      await this.#queue.send(
        runIds.map((runId) => ({ runId, workspaceId })),
        { readmits: true },
      );
  }

  async #fetchJobs(): Promise<void> {
    let trouble = 0;
    let fetchedAt = 0;
    while (!this.#stopping) {
      this.#dirty = false;
      let jobs: RunJob[] = [];
      const room = this.#maxInFlight - this.#inFlight.size;
      if (room > 0) {
        try {
          fetchedAt = performance.now();
          const free = room - this.#reserved;
          jobs = free > 0 ? await this.#queue.fetch(Math.min(free, FETCH_BATCH)) : await this.#fetchForOthers(room);
          trouble = 0;
          this.#drained = free > 0 && jobs.length < Math.min(free, FETCH_BATCH);
          this.#announceReadiness();
        } catch (error) {
          trouble += 1;
          if (trouble === FAILURES_BEFORE_PAUSE) this.#log.warn('jobs cannot be fetched', { reason: reasonOf(error) });
          await pause(Math.min(1_000, 50 * 2 ** trouble));
          continue;
        }
      }
      for (const job of jobs) this.#accept({ runId: job.runId, workspaceId: job.workspaceId }, job.jobId);
      // a full batch: there may be more; otherwise whatever comes is notified
      if (jobs.length === FETCH_BATCH && room - this.#reserved > jobs.length) continue;
      if (!this.#dirty || room <= 0) await this.#sleepUntilKicked();
      const gap = jobs.length === 0 || this.#inFlight.size > BUSY_RUNS ? FETCH_GAP_BUSY_MS : FETCH_GAP_MS;
      const early = fetchedAt + gap - performance.now();
      if (early > 0 && !this.#stopping) await pause(early);
    }
  }

  /**
   * The last places are for workspaces that hold less than their share, so that long runs of one never keep the others out. Each
   * workspace with a backlog stands near the head of the queue: nothing has to be walked to find them.
   */
  async #fetchForOthers(room: number): Promise<RunJob[]> {
    const held = new Map<string, number>();
    for (const { run } of this.#inFlight.values()) held.set(run.workspaceId, (held.get(run.workspaceId) ?? 0) + 1);
    const next = await this.#queue.peek(FETCH_BATCH);
    const share = this.#maxInFlight / (new Set([...held.keys(), ...next.map(({ workspaceId }) => workspaceId)]).size + 1);
    const jobs: RunJob[] = [];
    for (const { workspaceId, place } of next) {
      const holds = held.get(workspaceId) ?? 0;
      if (jobs.length >= room) break;
      if (holds >= share) continue;
      held.set(workspaceId, holds + 1);
      jobs.push(...(await this.#queue.fetch(1, place)));
    }
    return jobs;
  }

  async #sleepUntilKicked(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeLoop = resolve;
    const timer = setTimeout(resolve, POLL_MS);
    await promise;
    clearTimeout(timer);
    this.#wakeLoop = null;
  }

  async #settle(): Promise<void> {
    if (this.#done.length === 0) return;
    const batch = this.#done;
    this.#done = [];
    try {
      await this.#queue.complete(batch);
    } catch (error) {
      // a job that is not completed comes again, and then its run is found to be over
      this.#log.warn('jobs not completed', { count: batch.length, reason: reasonOf(error) });
    }
  }

  async #watch(): Promise<void> {
    for (const runId of await this.#store.listCancelled(this.id)) this.#inFlight.get(runId)?.cancel.abort();
    for (const run of await this.#store.listClaimed(this.id))
      if (!this.#inFlight.has(run.runId) && this.#inFlight.size < this.#maxInFlight) this.#accept(run, null);
    const admitted = [...(await this.#store.freePlaces(this.#ceiling)), ...(await this.#store.freeCalls())];
    if (admitted.length > 0) await this.#queue.send(admitted, { readmits: true });
    if (this.#drained) {
      const stalled = await this.#store.listStalled();
      if (stalled.length > 0) await this.#queue.send(stalled);
    }
  }

  /** Apart from `watch`, on the queue's own connections: a worker with much to do still finds those that are lost. */
  async #takeOverLost(): Promise<void> {
    const lost = await this.#queue.listLost(this.id);
    for (const other of lost) {
      if ((this.#suspects.get(other) ?? 0) < LOOKS - 1) continue;
      const count = await this.#queue.takeOver(other);
      this.counter.noteTakenOver(count);
      if (count > 0) this.#log.info('took over from a lost worker', { workerId: this.id, lost: other, runs: count });
    }
    this.#suspects = new Map(lost.map((other) => [other, (this.#suspects.get(other) ?? 0) + 1]));
  }

  /** Silent for too long, this worker may hold runs that others execute by now: results of its calls are of no use any longer. */
  async #renew(): Promise<void> {
    if (await this.#queue.renew(this.id)) return;
    this.#log.warn('the lease ran out: letting go of all runs', { workerId: this.id, runs: this.#inFlight.size });
    for (const entry of this.#inFlight.values()) {
      entry.lost.abort();
      // the next statement learns from the fence whether this run is still ours
      entry.lost = new AbortController();
      entry.again = true;
    }
  }

  async #touch(): Promise<void> {
    const now = this.#clock.now().getTime();
    const ids = [...this.#inFlight.values()].filter((entry) => now - entry.since > TOUCH_MS).flatMap((entry) => entry.jobIds);
    if (ids.length > 0) await this.#queue.touch(ids);
  }

  #every(ms: number, name: string, work: () => Promise<void>): Repeated {
    return repeat({
      firstMs: ms,
      work: async () => {
        await work();
        return ms;
      },
      failed: (error) => {
        this.#log.warn('worker loop', { work: name, reason: reasonOf(error) });
        return ms;
      },
    });
  }

  execute(run: RunRef, claimed: ClaimAnswer): void {
    // one that comes too late is taken over with everything else that this worker has claimed
    if (!this.#stopping) this.#accept(run, null, claimed);
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#announceReadiness();
    this.#letGo.abort();
    this.#wakeLoop?.();
    const deadline = Date.now() + STOP_WITHIN_MS;
    // statements are repeated while the database is away: without an end the loops would wait for it
    const late = setTimeout(() => this.#ended.abort(), STOP_WITHIN_MS);
    await Promise.all([this.#fetching, ...this.#loops.map((loop) => loop.stop())]);
    clearTimeout(late);
    while (this.#inFlight.size > 0 && Date.now() < deadline) await pause(20);
    this.#texts.stop();
    this.#ended.abort();
    await this.#settle();
    // with its lock gone, the others take over its runs
    await this.#presence?.leave();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200);
}
