import type { RouterContextProvider } from 'react-router';
import { href } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { cancelRun } from '#app/engine/commands/runs/cancel-run.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Asks a run to stop: no further step starts; the step under way is let go. */
export async function cancelRunAction({
  params,
  context,
}: {
  params: { run: string };
  context: Readonly<RouterContextProvider>;
}): Promise<never> {
  await performAsMember(context, cancelRun, { run: params.run });
  throw redirectWithNotice(href('/dashboard/runs/:run', { run: params.run }), 'runCancelled');
}
