import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

/** What the top bar counts: approvals that wait for the reader, and notifications they have not read. */
export type Counts = { approvals: number; unread: number };

const LiveCountsContext = createContext<{ counts: Counts; update: (counts: Counts) => void } | null>(null);

/** `loaded`: as the page was loaded with. What comes live counts until the page is loaded anew. */
export function LiveCountsProvider({ loaded, children }: { loaded: Counts; children: ReactNode }) {
  const [live, setLive] = useState<{ counts: Counts; over: Counts } | null>(null);
  const current = live !== null && live.over.approvals === loaded.approvals && live.over.unread === loaded.unread ? live.counts : loaded;
  const { approvals, unread } = loaded;
  const update = useCallback((counts: Counts) => setLive({ counts, over: { approvals, unread } }), [approvals, unread]);
  const value = useMemo(() => ({ counts: current, update }), [current, update]);
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
