import type { ServerContext } from '@modelcontextprotocol/server';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';

const ENDED = ['success', 'error', 'skipped'] as const;

/**
 * Reports to a client that asked for it how far its run is: the number of steps that have ended, from zero for a `fresh` run, which this call has
 * started and which may have ended by now. `end` reports the last ones and must come before the answer. Without a token nothing is watched
 * or reported.
 */
export function reportProgress(
  { caller, deps }: { caller: Caller; deps: Pick<ServingDeps, 'engine' | 'log'> },
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  { runId, fresh }: { runId: string; fresh: boolean },
): { end(): Promise<void> } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { end: async () => undefined };
  let reported = -1;
  let reporting: Promise<void> | undefined;
  let again = false;
  const send = async (progress: number, message: string) => {
    reported = progress;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  };
  const report = async () => {
    if (reported < 0 && fresh) return send(0, 'Started');
    const steps = await caller.read((db) =>
      db.selectFrom('quorate.steps').where('run_id', '=', runId).where('status', 'in', ENDED).orderBy('position').select('name').execute(),
    );
    if (steps.length <= reported) return;
    await send(steps.length, steps.at(-1)?.name ?? 'Started');
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
  reportSoon();
  const stop = deps.engine.watchRun({ runId, workspaceId: caller.key.workspace.id }, reportSoon);
  return {
    async end() {
      stop();
      reportSoon();
      await reporting;
    },
  };
}
