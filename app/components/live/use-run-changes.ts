import { useEffect } from 'react';
import { href, useRevalidator } from 'react-router';
import { listenToEvents } from '#app/components/live/event-source.ts';

/** Reads the page's data again whenever the run changes, while `active`. */
export function useRunChanges(runId: string, active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const readAgain = () => void revalidate();
    return listenToEvents(() => href('/dashboard/runs/:run/events', { run: runId }), { onOpen: readAgain, events: { change: readAgain } });
  }, [runId, active, revalidate]);
}
