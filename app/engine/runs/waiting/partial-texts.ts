import { LRUCache } from 'lru-cache';
import type { Clock, Log } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';
import type { ReportChange } from '#app/engine/runs/waiting/report-changes.ts';

/** Of a longer text its end is kept. */
const PARTIAL_TEXT_MAX = 16_000;
/** Between two writes of one text. */
const WRITE_MS = 250;
/** Between two questions which runs are looked at: one statement for all that are under way. */
const ASK_MS = 1_000;
/** A page asks again within this time. */
const ASKED_SECONDS = 60;
/** A page that is read often asks once in this time. */
const ASKED_AGAIN_MS = 10_000;

/** Takes the text of one call while it is written. */
export type TextWriter = { add(piece: string): void; end(): void };
/** `shown` false: what is written may turn out to be no answer, so that only its length is told. */
export type PartialTexts = { begin(run: RunRef, path: string, options: { shown: boolean }): TextWriter; stop(): void };

type Deps = { statement: Statement; report: ReportChange; clock: Clock; log: Log };

/** Asks for the texts of a run, for the next minute. */
export function createAskPartialTexts(statement: Statement): (run: RunRef) => Promise<void> {
  const asked = new LRUCache<string, true>({ max: 1_000, ttl: ASKED_AGAIN_MS });
  return async ({ workspaceId, runId }) => {
    if (asked.has(runId)) return;
    await statement({
      name: 'q_ask_partial',
      text: 'select quorate.ask_partial_texts($1, $2, $3)',
      values: [workspaceId, runId, ASKED_SECONDS],
    });
    asked.set(runId, true);
  };
}

/**
 * Texts that models and agents are writing, for pages that show the run: kept in memory, and stored only while such a page is open. A text
 * that cannot be stored does not fail the run; it is only not shown.
 */
export function createPartialTexts(deps: Deps): PartialTexts {
  const texts = new OpenTexts(deps);
  return { begin: (run, path, { shown }) => texts.begin(run, path, shown), stop: () => texts.stop() };
}

type OpenText = {
  run: RunRef;
  path: string;
  shown: boolean;
  begunAt: Date;
  text: string;
  chars: number;
  /** Characters of it when it was written last. */
  written: number;
  writing: Promise<void> | undefined;
};

class OpenTexts {
  readonly #deps: Deps;
  readonly #open = new Set<OpenText>();
  #looked: ReadonlySet<string> = new Set();
  #askedAt = 0;
  #asking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  begin(run: RunRef, path: string, shown: boolean): TextWriter {
    const open: OpenText = { run, path, shown, begunAt: this.#deps.clock.now(), text: '', chars: 0, written: 0, writing: undefined };
    return {
      add: (piece) => {
        open.chars += piece.length;
        if (shown) open.text = (open.text + piece).slice(-PARTIAL_TEXT_MAX);
        this.#open.add(open);
        this.#timer ??= setInterval(() => this.#tick(), WRITE_MS).unref();
      },
      end: () => {
        this.#open.delete(open);
        void this.#forget(open);
      },
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#open.clear();
  }

  #tick(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    if (!this.#asking && performance.now() - this.#askedAt >= ASK_MS) void this.#ask();
    for (const open of this.#open) {
      if (open.writing !== undefined || open.written === open.chars || !this.#looked.has(open.run.runId)) continue;
      open.writing = this.#write(open).finally(() => {
        open.writing = undefined;
      });
    }
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    const runs = [...new Set([...this.#open].map(({ run }) => run.runId))];
    const rows = await this.#send({ name: 'q_asked_partial', text: 'select quorate.list_text_readers($1) as run_id', values: [runs] });
    this.#looked = new Set((rows as { run_id: string }[]).map(({ run_id }) => run_id));
    this.#askedAt = performance.now();
    this.#asking = false;
  }

  async #write(open: OpenText): Promise<void> {
    const { run, path, begunAt, chars, shown } = open;
    open.written = chars;
    // PostgreSQL stores no U+0000, and the end may begin inside a pair of surrogates.
    const text = shown ? open.text.toWellFormed().replaceAll('\u0000', '\uFFFD') : null;
    const rows = await this.#send({
      name: 'q_write_partial',
      text: 'select quorate.write_partial_text($1, $2, $3, $4, $5, $6)',
      values: [run.workspaceId, run.runId, path, begunAt, chars, text],
    });
    if (rows.length > 0) this.#deps.report(run.runId, 'text');
  }

  async #forget(open: OpenText): Promise<void> {
    await open.writing;
    if (open.written === 0) return;
    await this.#send({
      name: 'q_end_partial',
      text: 'select quorate.end_partial_text($1, $2, $3)',
      values: [open.run.runId, open.path, open.begunAt],
    });
  }

  /** Answers no row where the statement failed. */
  async #send(query: Parameters<Statement>[0]): Promise<unknown[]> {
    try {
      return (await this.#deps.statement(query)).rows;
    } catch (error) {
      this.#deps.log.warn('a text under way was not kept', { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
      return [];
    }
  }
}
