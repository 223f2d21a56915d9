import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** After a navigation in the browser, the focus goes to the heading of the new page, as a page load would put it at the top. */
export function RouteFocus() {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [pathname]);
  return null;
}
