import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Log } from '#app/contracts/ports.ts';
import type { RunChange, RunRef } from '#app/contracts/runs.ts';
import { parseChanges, type RunChanges } from '#app/domain/runs/run-change.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

/** How often the runs that were not seen for longest are looked at, in case their notification was lost. */
const LOOK_MS = 2_000;
/** Looked at in one go: with more waiting than these each has its turn later, so that the looks never cost more than this. */
const LOOK_AT_MOST = 250;
/** The registrations of a dead process end after this. Longer than a call or a stream waits. */
const REGISTERED_SECONDS = 20 * 60;
const RENEW_BEFORE_SECONDS = 5 * 60;
/** After news from another process, runs are registered at once for so long. */
const OTHERS_SECONDS = 60;
/** News that came just before someone asked for it: more than one busy moment brings. */
const RECENT = 1_000;

/** Tells who waits for a run what became of it. */
export type RunWatcher = {
  /** Calls `onChange` at each change until the returned function is called, and soon after the start with the run's state. */
  watch(run: RunRef, onChange: (change: RunChange) => void): () => void;
  /** News from this process: its worker thread, or a command of its own, once it is committed. */
  tell(changes: RunChanges): void;
  stop(): Promise<void>;
};

type Options = {
  statement: Statement;
  /** Hears what other processes announce; `onGap`: the connection was lost and is back. */
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<() => Promise<void>>;
  log: Log;
  lookMs?: number;
  /**
   * How long a run is watched here before other processes are asked to tell of it. Where this process drives runs itself, most have ended
   * by then, or have begun here, and two statements are saved for each.
   */
  registerAfterMs?: number;
};
const seconds = () => performance.now() / 1000;

type Watched = {
  run: RunRef;
  /** Changes with anything of the run; null until it was read for the first time. */
  mark: string | null;
  registeredUntil: number;
  listeners: Set<(change: RunChange) => void>;
};

/**
 * One for a process. Its own worker and commands tell it directly; the workers of other processes by a notification, for the runs that are
 * registered as watched here; and every few seconds it looks for what neither has told.
 */
export function createRunWatcher({ statement, listen, log, lookMs = LOOK_MS, registerAfterMs = 0 }: Options): RunWatcher {
  const processId = randomUUID();
  const watched = new Map<string, Watched>();
  /** Not registered yet, or not for long enough. */
  let unregistered = new Map<string, Watched>();
  const forgotten = new Set<string>();
  let listening: Promise<() => Promise<void>> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let registering = false;
  let forgetting = false;
  let looking = false;
  let stopped = false;
  let registration: NodeJS.Timeout | undefined;
  let othersUntil = 0;
  /** The newest status of runs without a waiter yet. */
  const recent = new LRUCache<string, RunChange>({ max: RECENT });

  const warn = (what: string, error: unknown) =>
    log.warn(what, { reason: error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200) });

  function tellOwn(changes: RunChanges): void {
    tell(changes);
    // Driven here: other processes need not tell of it before the next look takes it up again.
    if (registerAfterMs > 0)
      for (const [runId, change] of changes) if (change !== 'pending' && change !== 'unknown') unregistered.delete(runId);
  }

  function tell(changes: RunChanges): void {
    for (const [runId, change] of changes) {
      const entry = watched.get(runId);
      if (entry === undefined) remember(runId, change);
      else recent.delete(runId);
      for (const listener of entry?.listeners ?? []) listener(change);
    }
  }

  /** A short run may have ended before its starter, who was held up, begins to wait for it. */
  function remember(runId: string, change: RunChange): void {
    if (change !== 'journal') recent.set(runId, change);
  }

  function registerSoon(): void {
    if (registerAfterMs === 0 || seconds() < othersUntil) setImmediate(() => void register());
    else
      registration ??= setTimeout(() => {
        registration = undefined;
        void register();
      }, registerAfterMs).unref();
  }

  function tellAll(): void {
    for (const { listeners } of watched.values()) for (const listener of listeners) listener('unknown');
  }

  const named = (runs: readonly Watched[]) => [runs.map(({ run }) => run.workspaceId), runs.map(({ run }) => run.runId)];

  async function readMarks(entries: readonly Watched[]): Promise<void> {
    const { rows } = await statement({
      name: 'q_changes',
      text: 'select run_id, mark from quorate.list_run_marks($1, $2)',
      values: named(entries),
    });
    for (const { run_id, mark } of rows as { run_id: string; mark: string }[]) see(watched.get(run_id), mark);
  }

  async function listenOnce(): Promise<void> {
    listening ??= listen(
      `quorate_process_${processId}`,
      (payload) => {
        othersUntil = seconds() + OTHERS_SECONDS;
        tell(parseChanges(payload));
      },
      tellAll,
    );
    try {
      await listening;
    } catch (error) {
      listening = undefined;
      throw error;
    }
  }

  /** Registers whatever has come while the last registration was under way: one statement for all of it, and one at a time. */
  async function register(): Promise<void> {
    if (registering) return;
    registering = true;
    try {
      while ((unregistered.size > 0 || forgetting) && !stopped) {
        if (forgetting) await forget();
        const batch = unregistered;
        unregistered = new Map();
        const entries = [...batch.values()].filter((entry) => watched.get(entry.run.runId) === entry);
        if (entries.length === 0) continue;
        const until = seconds() + REGISTERED_SECONDS;
        try {
          await listenOnce();
          const values = [processId, ...named(entries), REGISTERED_SECONDS];
          await statement({ name: 'q_watch', text: 'select quorate.watch_runs($1, $2, $3, $4)', values });
          for (const entry of entries) {
            entry.registeredUntil = until;
            if (!watched.has(entry.run.runId)) forgotten.add(entry.run.runId);
          }
          await readMarks(entries);
        } catch (error) {
          // The next look takes these up again.
          for (const [runId, entry] of batch) unregistered.set(runId, entry);
          warn('watched runs not registered', error);
          return;
        }
      }
    } finally {
      registering = false;
    }
  }

  async function forget(): Promise<void> {
    forgetting = false;
    const gone = [...forgotten].filter((runId) => !watched.has(runId));
    forgotten.clear();
    if (gone.length === 0) return;
    // Rows that stay are forgotten by the database when their time is over.
    await unwatch(gone).catch((error: unknown) => warn('watched runs not forgotten', error));
  }

  /** A mark begins with the status. */
  function see(entry: Watched | undefined, mark: string): void {
    if (entry === undefined || entry.mark === mark) return;
    const first = entry.mark === null;
    entry.mark = mark;
    const status = mark.slice(0, mark.indexOf(' ')) as RunChange;
    for (const listener of entry.listeners) listener(first ? status : 'unknown');
  }

  async function look(): Promise<void> {
    if (looking) return;
    if (watched.size === 0 && forgotten.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    looking = true;
    try {
      const soon = seconds() + RENEW_BEFORE_SECONDS;
      const turn = [...watched.values()].slice(0, LOOK_AT_MOST);
      for (const entry of turn) {
        const { runId } = entry.run;
        // To the end of the line.
        watched.delete(runId);
        watched.set(runId, entry);
        if (entry.registeredUntil < soon) unregistered.set(runId, entry);
      }
      forgetting = forgotten.size > 0;
      void register();
      if (turn.length === 0) return;
      await readMarks(turn);
    } catch (error) {
      warn('watched runs not read', error);
    } finally {
      looking = false;
    }
  }

  async function unwatch(runs: string[] | null): Promise<void> {
    await statement({ name: 'q_unwatch', text: 'select quorate.unwatch_runs($1, $2)', values: [processId, runs] });
  }

  return {
    watch(run, onChange) {
      const entry = watched.get(run.runId) ?? { run, mark: null, registeredUntil: 0, listeners: new Set() };
      // A listener of its own for each call, also where two hand in the same function.
      const listener = (change: RunChange) => onChange(change);
      // A new listener has not seen what earlier ones have: the next reading is news for all of them.
      entry.mark = null;
      entry.listeners.add(listener);
      watched.set(run.runId, entry);
      unregistered.set(run.runId, entry);
      registerSoon();
      const missed = recent.get(run.runId);
      if (missed !== undefined) setImmediate(() => entry.listeners.has(listener) && listener(missed));
      timer ??= setInterval(() => void look(), lookMs).unref();
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size > 0 || watched.get(run.runId) !== entry) return;
        watched.delete(run.runId);
        unregistered.delete(run.runId);
        if (entry.registeredUntil > 0) forgotten.add(run.runId);
      };
    },
    tell: tellOwn,
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearTimeout(registration);
      watched.clear();
      const leave = await listening?.catch(() => undefined);
      if (leave === undefined) return;
      await unwatch(null).catch((error: unknown) => warn('watched runs not forgotten', error));
      await leave();
    },
  };
}
