import { type ReactNode, useMemo } from 'react';
import { useLocation, useMatches, useOutlet, useRevalidator } from 'react-router';
import { useRouterErrors } from '#app/components/live/router-edges.tsx';

/**
 * The screen, as `Outlet`, but left alone by what does not concern it. The router hands out another one with each step of a navigation and
 * of a fetch, the search's included, and would have 200 rows drawn again for each. What a screen reads of both it reads by hooks of its
 * own.
 */
export function MemoOutlet(): ReactNode {
  const outlet = useOutlet();
  const matches = useMatches();
  const location = useLocation();
  const revalidation = useRevalidator().state;
  const errors = useRouterErrors();
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what another outlet can come of
  return useMemo(() => outlet, [matches, location, revalidation, errors]);
}
