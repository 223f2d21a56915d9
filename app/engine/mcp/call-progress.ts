import type { ServerContext } from '@modelcontextprotocol/server';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import { type TextPiece, watchTexts } from '#app/engine/serving/served-texts.ts';

/** Of a text under way a message shows this much of its end; the piece that came stands beside it for programs. */
const MESSAGE_MAX = 500;
const TEXT_META_KEY = 'dev.quorate/text';
/** After so many characters the progress stands halfway to the next step: nobody knows how long a text becomes. */
const TEXT_HALFWAY = 1_000;
const ENDED = ['success', 'error', 'skipped'] as const;

/**
 * Reports to a client that asked for it how far its run is: the number of steps that have ended, from zero for a `fresh` run, which this call has
 * started and which may have ended by now; between two of these, and with a fraction, the text that a step is writing. `end` reports the last
 * ones and must come before the answer. Without a token nothing is watched or reported.
 */
export function reportProgress(
  { caller, deps }: { caller: Caller; deps: Pick<ServingDeps, 'engine' | 'log'> },
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  { runId, fresh }: { runId: string; fresh: boolean },
): { end(): Promise<void> } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { end: async () => undefined };
  let reported = -1;
  /** Characters told since the last step has ended. */
  let written = 0;
  let reporting: Promise<void> | undefined;
  let again = false;
  const send = async (progress: number, message: string, meta: { [key: string]: unknown } = {}) => {
    reported = progress;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message, ...meta } });
  };
  const tell = async ({ path, name, chars, piece, text }: TextPiece) => {
    written += piece?.length ?? 1;
    const message = text === null ? `${name}: ${chars} characters` : `${name}: ${text.slice(-MESSAGE_MAX)}`;
    const more = { step: path, characters: chars, ...(piece === null ? {} : { piece }) };
    await send(Math.floor(Math.max(0, reported)) + written / (written + TEXT_HALFWAY), message, { _meta: { [TEXT_META_KEY]: more } });
  };
  const report = async () => {
    if (reported < 0 && fresh) return send(0, 'Started');
    const steps = await caller.read((db) =>
      db.selectFrom('quorate.steps').where('run_id', '=', runId).where('status', 'in', ENDED).orderBy('position').select('name').execute(),
    );
    if (steps.length > reported) {
      written = 0;
      await send(steps.length, steps.at(-1)?.name ?? 'Started');
    }
    for (const piece of await texts.read()) await tell(piece);
  };
  const reportSoon = () => {
    again = true;
    reporting ??= (async () => {
      while (again) {
        again = false;
        await report();
      }
    })()
      // A client that has gone, or a read that failed: the answer says how the run stands.
      .catch((error: unknown) => deps.log.warn('progress was not reported', { run: runId, reason: String(error).slice(0, 200) }))
      .finally(() => {
        reporting = undefined;
      });
  };
  const texts = watchTexts(caller, deps, runId, reportSoon);
  reportSoon();
  const stop = deps.engine.watchRun({ runId, workspaceId: caller.key.workspace.id }, reportSoon);
  return {
    async end() {
      stop();
      texts.stop();
      reportSoon();
      await reporting;
    },
  };
}
