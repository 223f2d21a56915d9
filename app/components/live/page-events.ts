import { href } from 'react-router';
import { listenToEvents } from '#app/components/live/event-source.ts';

type Handlers = Readonly<Record<string, (event: MessageEvent<string>) => void>>;
/** `desk`: the part is about everything that happens in the workspace. `run`: it is about this run. `texts`: it shows what its steps are writing, those of this item of a loop, or all (''). */
type Part = { desk?: boolean; run?: { id: string; texts: string | null }; events: Handlers };

type Around = {
  listen: typeof listenToEvents;
  isVisible(): boolean;
  /** Calls back whenever `isVisible` may answer otherwise, until the returned function is called. */
  onVisibility(change: () => void): () => void;
};

const BROWSER: Around = {
  listen: listenToEvents,
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(change) {
    document.addEventListener('visibilitychange', change);
    return () => document.removeEventListener('visibilitychange', change);
  },
};

/**
 * The one stream of server-sent events of a page: parts of the page join it with what they want to hear, and it is opened anew where a run
 * comes or goes. A page in the background holds none: browsers allow six connections to one origin over all tabs.
 */
export function createPageEvents({ listen, isVisible, onVisibility }: Around = BROWSER): { join(part: Part): () => void } {
  const parts = new Set<Part>();
  let open: { address: string; stop(): void } | null = null;
  let leave: (() => void) | null = null;
  let planned = false;
  /** When the server last read what is new, which the next stream begins with. */
  let last: string | null = null;
  /** The reader has no access any longer. */
  let over = false;

  const addressNow = (): string | null => {
    if (parts.size === 0 || over || !isVisible()) return null;
    const run = [...parts].flatMap((part) => part.run ?? []).at(-1);
    if (run === undefined) return `${href('/dashboard/notifications/events')}${[...parts].some((part) => part.desk) ? '?desk=' : ''}`;
    const person = [...parts].some((part) => part.run === undefined);
    const asked = new URLSearchParams({ ...(person && { person: '' }), ...(run.texts !== null && { texts: run.texts }) });
    return `${href('/dashboard/runs/:run/events', { run: run.id })}?${asked}`;
  };
  const tell = (name: string, event: MessageEvent<string>) => {
    last = event.lastEventId || last;
    for (const part of parts) part.events[name]?.(event);
    if (name !== 'over') return;
    over = true;
    settleSoon();
  };
  const settle = () => {
    planned = false;
    const address = addressNow();
    if (address === (open?.address ?? null)) return;
    open?.stop();
    open = address === null ? null : { address, stop: listen(() => withLast(address, last), { events: listenedTo(tell) }) };
  };
  /** Once all parts of a page have come and gone that do so together. */
  const settleSoon = () => {
    if (planned) return;
    planned = true;
    queueMicrotask(settle);
  };
  return {
    join(part) {
      parts.add(part);
      leave ??= onVisibility(settleSoon);
      settleSoon();
      return () => {
        parts.delete(part);
        if (parts.size === 0) {
          leave?.();
          leave = null;
          over = false;
        }
        settleSoon();
      };
    },
  };
}

const NAMES = ['counts', 'notification', 'change', 'text', 'over'];
const listenedTo = (tell: (name: string, event: MessageEvent<string>) => void): Handlers =>
  Object.fromEntries(NAMES.map((name) => [name, (event: MessageEvent<string>) => tell(name, event)]));

const withLast = (address: string, last: string | null) =>
  last === null ? address : `${address}${address.includes('?') ? '&' : '?'}after=${last}`;

/** Of the page that this browser shows. */
export const pageEvents = createPageEvents();
