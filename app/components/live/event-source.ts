import { reconnectPause } from '#app/components/live/reconnect-plan.ts';

type Handlers = { events: Readonly<Record<string, (event: MessageEvent<string>) => void>> };

/**
 * Listens to server-sent events until the answered function is called. The browser's own reconnection gives up on an answer that is no
 * stream, so it is ours: `urlOf` is asked again each time. After `over`, by which the server says that the reader has no access any longer,
 * nothing is asked again.
 */
export function listenToEvents(urlOf: () => string, { events }: Handlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let over = false;
  const connect = () => {
    source = new EventSource(urlOf());
    source.addEventListener('open', () => {
      failures = 0;
    });
    for (const [name, handle] of Object.entries(events)) source.addEventListener(name, handle);
    source.addEventListener('over', () => {
      over = true;
    });
    source.addEventListener('error', () => {
      source?.close();
      if (over) return;
      timer = setTimeout(connect, reconnectPause(failures));
      failures += 1;
    });
  };
  connect();
  return () => {
    source?.close();
    clearTimeout(timer);
  };
}
