import { type ReactElement, type ReactNode, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import {
  type Location,
  UNSAFE_DataRouterContext as RouterContext,
  UNSAFE_DataRouterDataContext as RouterDataContext,
  Scripts,
  useLocation,
} from 'react-router';

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

/**
 * Keeps the answer to a form (`actionData`, `useActionData`) while the page stands. The router drops it when the page's data are read again,
 * as each live event does: errors would vanish, and with them a key that is shown only once. `reader`: for whom the page is; another
 * person does not get the answer.
 */
export function KeptAnswers({ reader, children }: { reader: string; children: ReactNode }) {
  const data = useContext(RouterDataContext);
  const page = `${useLocation().key} ${reader}`;
  const answer = data?.actionData ?? null;
  const [kept, setKept] = useState({ page, answer });
  if (kept.page !== page || (answer !== null && kept.answer !== answer)) setKept({ page, answer });
  const shown = answer ?? (kept.page === page ? kept.answer : null);
  const value = useMemo(() => (data === null || shown === data.actionData ? data : { ...data, actionData: shown }), [data, shown]);
  return <RouterDataContext value={value}>{children}</RouterDataContext>;
}
