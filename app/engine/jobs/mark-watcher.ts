import type { Log } from '#app/contracts/ports.ts';

/** Tells watchers of a thing that it has changed, and its new mark. One query an interval for all of them, none without watchers. */
export type MarkWatcher<Thing> = { watch(thing: Thing, onChange: (mark: string) => void): () => void; stop(): void };

type Options<Thing> = {
  /** The name of the watched thing, for the log. */
  name: string;
  keyOf(thing: Thing): string;
  /** A mark of each thing, by its key, that is another one whenever something of it has changed. */
  readMarks(things: readonly Thing[]): Promise<ReadonlyMap<string, string>>;
  log: Log;
  intervalMs: number;
};

export function createMarkWatcher<Thing>({ name, keyOf, readMarks, log, intervalMs }: Options<Thing>): MarkWatcher<Thing> {
  const watched = new Map<string, { thing: Thing; mark: string | null; listeners: Set<(mark: string) => void> }>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const marks = await readMarks([...watched.values()].map((entry) => entry.thing));
      for (const [key, mark] of marks) {
        const entry = watched.get(key);
        if (entry === undefined || entry.mark === mark) continue;
        // The first mark counts as a change: what happened between a page's reading and this look is nowhere else to be seen.
        entry.mark = mark;
        for (const listener of entry.listeners) listener(mark);
      }
    } catch (error) {
      log.warn(`watched ${name} not read`, { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
    } finally {
      looking = false;
    }
  }

  return {
    watch(thing, onChange) {
      const key = keyOf(thing);
      const entry = watched.get(key) ?? { thing, mark: null, listeners: new Set() };
      // A new watcher has missed the marks so far: the next look is a change for everyone.
      entry.mark = null;
      entry.listeners.add(onChange);
      watched.set(key, entry);
      timer ??= setInterval(() => void look(), intervalMs).unref();
      return () => {
        entry.listeners.delete(onChange);
        if (entry.listeners.size === 0 && watched.get(key) === entry) watched.delete(key);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      watched.clear();
    },
  };
}
