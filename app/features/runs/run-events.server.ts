import type { RouterContextProvider } from 'react-router';
import { atMostEvery } from '#app/components/live/at-most-every.server.ts';
import { endStream, type StreamSource } from '#app/components/live/member-stream.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { askForTexts, loadPartialTexts } from '#app/features/runs/writing/load-partial-texts.server.ts';

/** A run of quick steps changes more often than a page can be read. */
const AT_MOST_EVERY_MS = 250;

/**
 * Events of one run: `change` whenever its journal has changed, and soon after the start. What changed is read by the page's own loader. With
 * `?texts=` also `text`: what its steps are writing, or those of the item of a loop that it names, read each time as the member, so that
 * nothing is told that they may not see.
 */
export async function runEvents({
  request,
  params,
  context,
}: {
  request: Request;
  params: { run: string };
  context: Readonly<RouterContextProvider>;
}): Promise<StreamSource> {
  const access = context.get(memberContext);
  const { engine, log } = context.get(servicesContext);
  const run = await access.read((db) => db.selectFrom('quorate.runs').where('id', '=', params.run).select('id').executeTakeFirst());
  if (run === undefined) throw new AppError('not_found');
  const ref = { runId: run.id, workspaceId: access.member.workspace.id };
  const within = new URL(request.url).searchParams.get('texts');
  const wantsTexts = within !== null;
  return (stream) => {
    // The newest news and the first look come as one event at the start.
    const pace = atMostEvery(AT_MOST_EVERY_MS, () => stream.send('change', {}), 'soon');
    const texts = atMostEvery(AT_MOST_EVERY_MS, () => {
      access
        .read((db) => loadPartialTexts(context, db, run.id, within ?? ''))
        .then(
          (found) => found.texts.length > 0 && stream.send('text', found),
          (error: unknown) => endStream(stream, error, log),
        );
    });
    const unwatch = engine.watchRun(ref, pace.call, wantsTexts ? texts.call : undefined);
    if (wantsTexts) void askForTexts(context, ref);
    return {
      onHeartbeat() {
        if (wantsTexts) void askForTexts(context, ref);
      },
      stop() {
        unwatch();
        pace.stop();
        texts.stop();
      },
    };
  };
}
