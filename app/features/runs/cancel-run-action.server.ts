import type { RouterContextProvider } from 'react-router';
import { href } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Asks a run to stop: no further step starts; the step under way is let go. */
export async function cancelRunAction({
  params,
  context,
}: {
  params: { run: string };
  context: Readonly<RouterContextProvider>;
}): Promise<never> {
  const access = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  await access.change(async (db) => ({
    result: null,
    event: await cancelRun(
      db,
      { enqueueRun: engine.enqueueRun },
      { workspaceId: access.member.workspace.id, runId: params.run, memberId: access.member.userId },
    ),
  }));
  throw redirectWithNotice(href('/dashboard/runs/:run', { run: params.run }), 'runCancelled');
}
