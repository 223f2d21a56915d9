import { type ReactElement, useCallback, useContext, useSyncExternalStore } from 'react';
import { type Location, UNSAFE_DataRouterContext as RouterContext, Scripts } from 'react-router';

/**
 * All that we take from React Router beyond its promises. Read this file, its test and the two reasons again when the router's version
 * changes: the test fails until someone has.
 */

/**
 * The elements that `<Scripts />` would draw: inline scripts, `modulepreload` links and the entry. Calls the component, because it offers
 * no property to say when a browser asks for them. A hook: call it once and without conditions.
 */
export function useScriptElements(): ReactElement | null {
  return Scripts({});
}

/**
 * The navigation as the router has it at once. `useNavigation` follows only when the whole page has been drawn again for it, which on a
 * long list is later than the tenth of a second after which a press must show.
 */
export function useImmediateNavigation(): { waiting: boolean; location: Location | undefined } {
  const router = useContext(RouterContext)?.router;
  const read = () => router?.state.navigation ?? null;
  const navigation = useSyncExternalStore(
    useCallback((changed) => router?.subscribe(changed) ?? (() => undefined), [router]),
    read,
    read,
  );
  return { waiting: navigation !== null && navigation.state !== 'idle', location: navigation?.location };
}

/** The errors of all matches; the same object until they change. `useRouteError` knows only its own boundary's. */
export function useRouterErrors(): unknown {
  return useContext(RouterContext)?.router.state.errors;
}
