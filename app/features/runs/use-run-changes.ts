import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Waits before connecting anew, in ms; then always the last (product-spec section 9). */
const RECONNECT_MS = [1000, 2000, 5000, 10_000] as const;

/** Reads the page's data again whenever the run changes, while `active`. */
export function useRunChanges(runId: string, active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const connect = () => {
      source = new EventSource(`/dashboard/runs/${runId}/events`);
      source.addEventListener('open', () => {
        failures = 0;
        void revalidate();
      });
      source.addEventListener('change', () => void revalidate());
      source.addEventListener('error', () => {
        source?.close();
        timer = setTimeout(connect, RECONNECT_MS[Math.min(failures, RECONNECT_MS.length - 1)]);
        failures += 1;
      });
    };
    connect();
    return () => {
      source?.close();
      clearTimeout(timer);
    };
  }, [runId, active, revalidate]);
}
