import type { RouterContextProvider } from 'react-router';
import { openMemberStream } from '#app/components/member-stream.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/**
 * Server-sent events of one run: `change` whenever its journal has changed. What changed is read by the page's own loader,
 * so that the stream carries nothing that needs a permission.
 */
export async function runEvents({
  request,
  params,
  context,
}: {
  request: Request;
  params: { run: string };
  context: Readonly<RouterContextProvider>;
}): Promise<Response> {
  const access = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const run = await access.read((db) => db.selectFrom('quorate.runs').where('id', '=', params.run).select('id').executeTakeFirst());
  if (run === undefined) throw new AppError('not_found');
  return openMemberStream(context, request.signal, (stream) => ({
    stop: engine.watchRun({ runId: run.id, workspaceId: access.member.workspace.id }, () => stream.send('change', {})),
  }));
}
