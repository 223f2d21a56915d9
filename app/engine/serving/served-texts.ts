import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';

/** A run that ends sooner is not asked for its texts. */
const ASK_AFTER_MS = 100;
/** Whoever looks on is forgotten after a minute. */
const ASK_AGAIN_MS = 25_000;
/** As on the page of a run: more are written at once only inside loops. */
const MOST = 5;

/**
 * The text that a step of a run has written since the last read. `piece` null: the answer may still be refused, so that only its length is told.
 * `text`: all that is known of it, from its end. `begins`: nothing was told of this call before.
 */
export type TextPiece = { path: string; name: string; chars: number; piece: string | null; text: string | null; begins: boolean };

/** The texts that the steps of a run are writing, as far as the caller may see the run, until `stop`. `onText`: there is more to read. */
export function watchTexts(
  caller: Pick<Caller, 'key' | 'read'>,
  { engine, log }: Pick<ServingDeps, 'log'> & { engine: Pick<ServingDeps['engine'], 'watchRun' | 'askPartialTexts'> },
  runId: string,
  onText: () => void,
): { read(): Promise<TextPiece[]>; stop(): void } {
  const run = { runId, workspaceId: caller.key.workspace.id };
  const told = new Map<string, { begun: number; chars: number }>();
  const ask = () => {
    // Without them the caller only learns less.
    engine.askPartialTexts(run).catch((error: unknown) => {
      log.warn('texts under way were not asked for', { run: runId, reason: String(error).slice(0, 200) });
    });
    timer = setTimeout(ask, ASK_AGAIN_MS);
  };
  let timer = setTimeout(ask, ASK_AFTER_MS);
  const unwatch = engine.watchRun(run, () => undefined, onText);
  return {
    async read() {
      const rows = await readTexts(caller, runId);
      return rows.flatMap(({ path, name, begun_at, chars, text }) => {
        const begun = begun_at.getTime();
        const before = told.get(path)?.begun === begun ? (told.get(path)?.chars ?? 0) : null;
        // Half a character at the end is told with its other half.
        const known = text?.endsWith('\uFFFD') ? { text: text.slice(0, -1), chars: chars - 1 } : { text, chars };
        const more = known.chars - (before ?? 0);
        if (more <= 0) return [];
        told.set(path, { begun, chars: known.chars });
        return [{ path, name, chars: known.chars, text: known.text, piece: pieceOf(known.text, more), begins: before === null }];
      });
    },
    stop() {
      clearTimeout(timer);
      unwatch();
    },
  };
}

/** The last characters of a text. What lies before the part that is kept is left out visibly. */
function pieceOf(text: string | null, length: number): string | null {
  if (text === null) return null;
  return length > text.length ? `… ${text}` : text.slice(text.length - length);
}

const readTexts = (caller: Pick<Caller, 'read'>, runId: string) =>
  caller.read((db) =>
    db
      .selectFrom('quorate.partial_texts as p')
      .innerJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'p.run_id').onRef('s.path', '=', 'p.path'))
      .where('p.run_id', '=', runId)
      .where('s.status', '=', 'processing')
      .select(['p.path', 's.name', 'p.begun_at', 'p.chars', 'p.text'])
      .orderBy('p.begun_at', 'desc')
      .limit(MOST)
      .execute(),
  );
