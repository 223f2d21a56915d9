import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Log } from '#app/contracts/ports.ts';
import type { RunChange, RunEnd, RunRef } from '#app/contracts/runs.ts';
import { parseChanges, type RunChanges, type RunEnds } from '#app/domain/runs/run-change.ts';
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

type Listener = (change: RunChange, end?: RunEnd) => void;

/** Tells who waits for a run what became of it. */
export type RunWatcher = {
  /**
   * Calls `onChange` at each change until the returned function is called, and soon after the start with the run's state; `onText` when
   * more has come of a text that a step is writing.
   */
  watch(run: RunRef, onChange: Listener, onText?: () => void): () => void;
  /** News from this process: its worker thread, or a command of its own, once it is committed. */
  tell(changes: RunChanges, ends?: RunEnds): void;
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
  listeners: Set<Listener>;
};

/**
 * One for a process. Its own worker and commands tell it directly; the workers of other processes by a notification, for the runs that are
 * registered as watched here; and every few seconds it looks for what neither has told.
 */
export function createRunWatcher(options: Options): RunWatcher {
  const watcher = new ProcessRunWatcher(options);
  return {
    watch: (run, onChange, onText) => watcher.watch(run, onChange, onText),
    tell: (changes, ends) => watcher.tell(changes, ends),
    stop: () => watcher.stop(),
  };
}

const named = (runs: readonly Watched[]) => [runs.map(({ run }) => run.workspaceId), runs.map(({ run }) => run.runId)];

class ProcessRunWatcher {
  readonly #options: Options;
  readonly #registerAfterMs: number;
  readonly #processId = randomUUID();
  readonly #watched = new Map<string, Watched>();
  /** Not registered yet, or not for long enough. */
  #unregistered = new Map<string, Watched>();
  readonly #forgotten = new Set<string>();
  #listening: Promise<() => Promise<void>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #registering = false;
  #forgetting = false;
  #looking = false;
  #stopped = false;
  #registration: NodeJS.Timeout | undefined;
  #othersUntil = 0;
  /** The newest status of runs without a waiter yet. */
  readonly #recent = new LRUCache<string, RunChange>({ max: RECENT });

  constructor(options: Options) {
    this.#options = options;
    this.#registerAfterMs = options.registerAfterMs ?? 0;
  }

  watch(run: RunRef, onChange: Listener, onText?: () => void): () => void {
    const entry = this.#watched.get(run.runId) ?? { run, mark: null, registeredUntil: 0, listeners: new Set() };
    // A listener of its own for each call, also where two hand in the same function.
    const listener: Listener = (change, end) => (change === 'text' ? onText?.() : onChange(change, end));
    // A new listener has not seen what earlier ones have: the next reading is news for all of them.
    entry.mark = null;
    entry.listeners.add(listener);
    this.#watched.set(run.runId, entry);
    this.#unregistered.set(run.runId, entry);
    this.#registerSoon();
    const missed = this.#recent.get(run.runId);
    if (missed !== undefined) setImmediate(() => entry.listeners.has(listener) && listener(missed));
    this.#timer ??= setInterval(() => void this.#look(), this.#options.lookMs ?? LOOK_MS).unref();
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size > 0 || this.#watched.get(run.runId) !== entry) return;
      this.#watched.delete(run.runId);
      this.#unregistered.delete(run.runId);
      if (entry.registeredUntil > 0) this.#forgotten.add(run.runId);
    };
  }

  #warn(what: string, error: unknown): void {
    this.#options.log.warn(what, { reason: error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200) });
  }

  tell(changes: RunChanges, ends?: RunEnds): void {
    this.#notifyWatchers(changes, ends);
    // Driven here: other processes need not tell of it before the next look takes it up again.
    if (this.#registerAfterMs > 0)
      for (const [runId, change] of changes) if (change !== 'pending' && change !== 'unknown') this.#unregistered.delete(runId);
  }

  #notifyWatchers(changes: RunChanges, ends?: RunEnds): void {
    for (const [runId, change] of changes) {
      const entry = this.#watched.get(runId);
      if (entry === undefined) this.#remember(runId, change);
      else this.#recent.delete(runId);
      for (const listener of entry?.listeners ?? []) listener(change, ends?.get(runId));
    }
  }

  /** A short run may have ended before its starter, who was held up, begins to wait for it. */
  #remember(runId: string, change: RunChange): void {
    if (change !== 'journal' && change !== 'text') this.#recent.set(runId, change);
  }

  #registerSoon(): void {
    if (this.#registerAfterMs === 0 || seconds() < this.#othersUntil) setImmediate(() => void this.#register());
    else
      this.#registration ??= setTimeout(() => {
        this.#registration = undefined;
        void this.#register();
      }, this.#registerAfterMs).unref();
  }

  #notifyAll(): void {
    for (const { listeners } of this.#watched.values()) for (const listener of listeners) listener('unknown');
  }

  async #readMarks(entries: readonly Watched[]): Promise<void> {
    const { rows } = await this.#options.statement({
      name: 'q_changes',
      text: 'select run_id, mark from quorate.list_run_marks($1, $2)',
      values: named(entries),
    });
    for (const { run_id, mark } of rows as { run_id: string; mark: string }[]) this.#see(this.#watched.get(run_id), mark);
  }

  async #listenOnce(): Promise<void> {
    this.#listening ??= this.#options.listen(
      `quorate_process_${this.#processId}`,
      (payload) => {
        this.#othersUntil = seconds() + OTHERS_SECONDS;
        this.#notifyWatchers(parseChanges(payload));
      },
      () => this.#notifyAll(),
    );
    try {
      await this.#listening;
    } catch (error) {
      this.#listening = undefined;
      throw error;
    }
  }

  /** Registers whatever has come while the last registration was under way: one statement for all of it, and one at a time. */
  async #register(): Promise<void> {
    if (this.#registering) return;
    this.#registering = true;
    try {
      while ((this.#unregistered.size > 0 || this.#forgetting) && !this.#stopped) {
        if (this.#forgetting) await this.#forget();
        const batch = this.#unregistered;
        this.#unregistered = new Map();
        const entries = [...batch.values()].filter((entry) => this.#watched.get(entry.run.runId) === entry);
        if (entries.length === 0) continue;
        const until = seconds() + REGISTERED_SECONDS;
        try {
          await this.#listenOnce();
          const values = [this.#processId, ...named(entries), REGISTERED_SECONDS];
          await this.#options.statement({ name: 'q_watch', text: 'select quorate.watch_runs($1, $2, $3, $4)', values });
          for (const entry of entries) {
            entry.registeredUntil = until;
            if (!this.#watched.has(entry.run.runId)) this.#forgotten.add(entry.run.runId);
          }
          await this.#readMarks(entries);
        } catch (error) {
          // The next look takes these up again.
          for (const [runId, entry] of batch) this.#unregistered.set(runId, entry);
          this.#warn('watched runs not registered', error);
          return;
        }
      }
    } finally {
      this.#registering = false;
    }
  }

  async #forget(): Promise<void> {
    this.#forgetting = false;
    const gone = [...this.#forgotten].filter((runId) => !this.#watched.has(runId));
    this.#forgotten.clear();
    if (gone.length === 0) return;
    // Rows that stay are forgotten by the database when their time is over.
    await this.#unwatch(gone).catch((error: unknown) => this.#warn('watched runs not forgotten', error));
  }

  /** A mark begins with the status. */
  #see(entry: Watched | undefined, mark: string): void {
    if (entry === undefined || entry.mark === mark) return;
    const first = entry.mark === null;
    entry.mark = mark;
    const status = mark.slice(0, mark.indexOf(' ')) as RunChange;
    for (const listener of entry.listeners) listener(first ? status : 'unknown');
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    if (this.#watched.size === 0 && this.#forgotten.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#looking = true;
    try {
      const soon = seconds() + RENEW_BEFORE_SECONDS;
      const turn = [...this.#watched.values()].slice(0, LOOK_AT_MOST);
      for (const entry of turn) {
        const { runId } = entry.run;
        // To the end of the line.
        this.#watched.delete(runId);
        this.#watched.set(runId, entry);
        if (entry.registeredUntil < soon) this.#unregistered.set(runId, entry);
      }
      this.#forgetting = this.#forgotten.size > 0;
      void this.#register();
      if (turn.length === 0) return;
      await this.#readMarks(turn);
    } catch (error) {
      this.#warn('watched runs not read', error);
    } finally {
      this.#looking = false;
    }
  }

  async #unwatch(runs: string[] | null): Promise<void> {
    await this.#options.statement({ name: 'q_unwatch', text: 'select quorate.unwatch_runs($1, $2)', values: [this.#processId, runs] });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#registration);
    this.#watched.clear();
    const leave = await this.#listening?.catch(() => undefined);
    if (leave === undefined) return;
    await this.#unwatch(null).catch((error: unknown) => this.#warn('watched runs not forgotten', error));
    await leave();
  }
}
