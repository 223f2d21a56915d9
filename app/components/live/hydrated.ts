import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and for the first render in the browser; true once scripts run here. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
