import { flushPending, type RunExecution } from '#app/engine/runs/run-execution.ts';

/**
 * Ends the steps at a place that are still open when one beside them has failed: `own` is the hold that they ran in. They are ended together with
 * the rows in hand, which say how the run continues. Sets `stop` where the journal refuses that.
 */
export async function leaveOpen(execution: RunExecution, own: RunExecution, within: string): Promise<void> {
  const isOpen = ({ status }: { status: string }) => status === 'pending' || status === 'processing' || status === 'waiting';
  const known = [...execution.journal.values()].filter((row) => isOpen(row) && row.path.startsWith(`${within}/`));
  const paths = [...new Set([...own.waiting, ...known.map(({ path }) => path)])];
  if (paths.length === 0) return;
  const { deps, run, claim } = execution;
  const why = { within, paths, error: { key: 'stepLeft', values: {} }, eventId: deps.newId() };
  const left = await deps.store.leaveSteps(run, claim.attempt, why, flushPending(execution));
  if (left.state !== 'left') execution.stop ??= { kind: left.state };
  else if (left.related.length > 0) await deps.queue.send(left.related.map((runId) => ({ runId, workspaceId: run.workspaceId })));
}
