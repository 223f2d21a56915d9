import { useEffect } from 'react';
import { href, useRevalidator } from 'react-router';
import { listenToEvents } from '#app/components/live/event-source.ts';

/**
 * Reads the page's data again whenever the run changes, while `active`. `onText`, which must stay the same, gets what its steps are writing:
 * those `within` an item of a loop, or all.
 */
export function useRunChanges<Text>(runId: string, active: boolean, onText?: (texts: Text[]) => void, within = ''): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const readAgain = () => void revalidate();
    const texts = onText === undefined ? '' : `?${new URLSearchParams({ texts: within })}`;
    return listenToEvents(() => `${href('/dashboard/runs/:run/events', { run: runId })}${texts}`, {
      onOpen: readAgain,
      events: { change: readAgain, text: ({ data }) => onText?.(JSON.parse(data) as Text[]) },
    });
  }, [runId, active, onText, within, revalidate]);
}
