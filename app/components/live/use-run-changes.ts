import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { pageEvents } from '#app/components/live/page-events.ts';

/**
 * Reads the page's data again whenever the run changes, while `active`. `onText`, which must stay the same, gets what its steps are writing:
 * those `within` an item of a loop, or all.
 */
export function useRunChanges<Texts>(runId: string, active: boolean, onText?: (texts: Texts) => void, within = ''): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    return pageEvents.join({
      run: { id: runId, texts: onText === undefined ? null : within },
      events: {
        // Also soon after each start of the stream: what came between the page and the stream is read then.
        change: () => void revalidate(),
        text: ({ data }) => onText?.(JSON.parse(data) as Texts),
      },
    });
  }, [runId, active, onText, within, revalidate]);
}
