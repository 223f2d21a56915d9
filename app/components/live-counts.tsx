import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

/** What the top bar counts: approvals that wait for the reader, and notifications they have not read. */
export type Counts = { approvals: number; unread: number };

const LiveCountsContext = createContext<{ counts: Counts; update: (counts: Counts) => void } | null>(null);

type Live = { counts: Counts; over: Counts };

/** What came live counts over the very load that it came to: a later one is newer, also when it tells the same numbers. */
export function countsNow(loaded: Counts, live: Live | null): Counts {
  return live?.over === loaded ? live.counts : loaded;
}

/** `loaded`: the object that the page was loaded with, the same as long as nothing was loaded anew. */
export function LiveCountsProvider({ loaded, children }: { loaded: Counts; children: ReactNode }) {
  const [live, setLive] = useState<Live | null>(null);
  const counts = countsNow(loaded, live);
  const update = useCallback((next: Counts) => setLive({ counts: next, over: loaded }), [loaded]);
  const value = useMemo(() => ({ counts, update }), [counts, update]);
  return <LiveCountsContext value={value}>{children}</LiveCountsContext>;
}

/** The counts as they stand now; null outside the app area. */
export function useLiveCounts(): Counts | null {
  return useContext(LiveCountsContext)?.counts ?? null;
}

/** What takes in counts that came live. */
export function useCountsUpdate(): (counts: Counts) => void {
  const context = useContext(LiveCountsContext);
  if (context === null) throw new Error('counts are kept in the app area alone');
  return context.update;
}
