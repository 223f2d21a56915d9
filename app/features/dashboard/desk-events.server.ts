import type { RouterContextProvider } from 'react-router';
import { atMostEvery } from '#app/components/live/at-most-every.server.ts';
import type { StreamSource } from '#app/components/live/member-stream.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';

/** A busy workspace changes all the time; what changed is read by the page's own loader. */
const AT_MOST_EVERY_MS = 2_000;

/** `change` with the mark of the workspace whenever something has happened in it that a dashboard shows, and soon after the start. */
export function deskEvents(context: Readonly<RouterContextProvider>): StreamSource {
  const { member } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  return (stream) => {
    let newest = '';
    const pace = atMostEvery(AT_MOST_EVERY_MS, () => stream.send('change', { mark: newest }));
    const unwatch = engine.watchDesk({ workspaceId: member.workspace.id }, (mark) => {
      newest = mark;
      pace.call();
    });
    return {
      stop() {
        unwatch();
        pace.stop();
      },
    };
  };
}
