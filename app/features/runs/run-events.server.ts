import type { RouterContextProvider } from 'react-router';
import { openMemberStream } from '#app/components/live/member-stream.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/** A run of quick steps changes more often than a page can be read. */
const AT_MOST_EVERY_MS = 250;

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
  return openMemberStream(context, request.signal, (stream) => {
    const pace = atMostEvery(AT_MOST_EVERY_MS, () => stream.send('change', {}));
    const unwatch = engine.watchRun({ runId: run.id, workspaceId: access.member.workspace.id }, pace.call);
    return {
      stop() {
        unwatch();
        pace.stop();
      },
    };
  });
}

/** Calls `work` at once, and for all calls that follow too early once more when the time is over. */
function atMostEvery(ms: number, work: () => void): { call(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const call = () => {
    if (timer !== undefined) {
      again = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      call();
    }, ms);
  };
  return { call, stop: () => clearTimeout(timer) };
}
