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

/** Classes for a control that works with scripts alone. It keeps its place while they come, so that nothing moves under a finger. */
export function withScriptsOnly(hydrated: boolean): string {
  return hydrated ? 'noscript:hidden' : 'noscript:hidden invisible';
}
