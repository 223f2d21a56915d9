import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/**
 * The counts of the top bar: approvals and forms that wait for the reader, and notifications they have not read. `at`: when the server began to
 * count, in milliseconds since 1970; later changes come with later counts.
 */
export type Counts = { approvals: number; unread: number; at: number };

const LiveCountsContext = createContext<{ counts: Counts; update: (counts: Counts) => void } | null>(null);

/** The newer of both: a page that was counted before a change can arrive after the change was told live. */
export function countsNow(loaded: Counts, live: Counts | null): Counts {
  return live !== null && live.at >= loaded.at ? live : loaded;
}

/** `loaded`: the counts that the page was loaded with. */
export function LiveCountsProvider({ loaded, children }: { loaded: Counts; children: ReactNode }) {
  const [live, setLive] = useState<Counts | null>(null);
  const counts = countsNow(loaded, live);
  const value = useMemo(() => ({ counts, update: setLive }), [counts]);
  return <LiveCountsContext value={value}>{children}</LiveCountsContext>;
}

/** The present counts; null outside the app area. */
export function useLiveCounts(): Counts | null {
  return useContext(LiveCountsContext)?.counts ?? null;
}

/** Called with counts that arrive live. */
export function useCountsUpdate(): (counts: Counts) => void {
  const context = useContext(LiveCountsContext);
  if (context === null) throw new Error('counts are kept in the app area alone');
  return context.update;
}
