import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { listenToEvents } from '#app/components/event-source.ts';

/** Reads the page's data again whenever the run changes, while `active`. */
export function useRunChanges(runId: string, active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const readAgain = () => void revalidate();
    return listenToEvents(() => `/dashboard/runs/${runId}/events`, { onOpen: readAgain, events: { change: readAgain } });
  }, [runId, active, revalidate]);
}
