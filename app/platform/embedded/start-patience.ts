/** Silence after which a database that starts is taken for stuck: it tells of its recovery every ten seconds (`log_startup_progress_interval`). */
const SILENCE_MS = 30_000;
/** However much it tells: by then a person should look. */
const LONGEST_MS = 15 * 60_000;
/** PostgreSQL's own words while it replays its log after a crash, syncs its files and writes the checkpoint that ends it. */
const PROGRESS =
  /^LOG:\s+(?:.*elapsed time:|redo (?:starts|done) at|checkpoint (?:starting|complete):|database system was (?:interrupted|not properly shut down))/;

/**
 * How long one waits for a database that starts. A recovery that moves on is waited for: to begin it again would lose what it has done, and
 * take as long each time. Times are milliseconds of one clock.
 */
export class StartPatience {
  readonly #since: number;
  #movedAt: number;

  constructor(now: number) {
    this.#since = now;
    this.#movedAt = now;
  }

  /** A line of the database's log. Returns whether it tells of progress. */
  hear(line: string, now: number): boolean {
    const moves = PROGRESS.test(line);
    if (moves) this.#movedAt = now;
    return moves;
  }

  /** Why nobody should wait any longer, or null. */
  exhausted(now: number): string | null {
    if (now - this.#since > LONGEST_MS) return `not ready after ${LONGEST_MS / 60_000} minutes`;
    return now - this.#movedAt > SILENCE_MS ? `no progress for ${SILENCE_MS / 1_000} seconds` : null;
  }
}
