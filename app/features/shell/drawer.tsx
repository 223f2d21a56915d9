import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useClosedOnLeaving } from '#app/components/look/menu.tsx';
import { NavigationLists } from '#app/features/shell/navigation-lists.tsx';
import Menu from '~icons/menu';
import X from '~icons/x';

/** From this width on the sidebar stands beside the screen. */
export const SIDEBAR_FROM = '(min-width: 768px)';

/** Elements behind an open drawer carry this attribute. */
export const BEHIND_DRAWER = { 'data-behind-drawer': '' } as const;

function setBehindInert(inert: boolean) {
  for (const element of document.querySelectorAll<HTMLElement>('[data-behind-drawer]')) element.inert = inert;
}

/**
 * The areas on a phone. Without scripts a disclosure whose dimmed surroundings close it (they are part of its button);
 * with them the focus goes in, stays in and comes back, and what lies behind cannot be reached.
 */
export function Drawer({ box, foot }: { box: RefObject<HTMLDetailsElement | null>; foot: ReactNode }) {
  const { t } = useTranslation('shell');
  const location = useLocation();
  useClosedOnLeaving(box);

  // Before the new page takes the focus: it cannot while it lies behind the drawer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says that another page has come
  useLayoutEffect(() => {
    if (!box.current?.open) setBehindInert(false);
    return () => setBehindInert(false);
  }, [location.key, box]);

  useEffect(() => {
    if (box.current?.open) setBehindInert(true);
    const wide = window.matchMedia(SIDEBAR_FROM);
    const close = () => {
      if (wide.matches && box.current) box.current.open = false;
    };
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [box]);

  const onToggle = () => {
    const details = box.current;
    if (details === null) return;
    setBehindInert(details.open);
    if (details.open) details.querySelector<HTMLElement>('nav a')?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const details = box.current;
    if (!details?.open) return;
    const summary = details.querySelector('summary');
    if (event.key === 'Escape') {
      details.open = false;
      // The browser tells of the toggle later: whoever holds the focus again reaches all at once.
      setBehindInert(false);
      summary?.focus();
    }
    if (event.key !== 'Tab') return;
    const stops = [...details.querySelectorAll<HTMLElement>('summary, a, button')];
    const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
    if (document.activeElement !== last) return;
    event.preventDefault();
    first?.focus();
  };

  return (
    <details ref={box} onToggle={onToggle} onKeyDown={onKeyDown} className="group fixed start-0 top-0 z-20 md:hidden print:hidden">
      <summary className="flex h-14 w-14 list-none items-center justify-center text-ink group-open:w-72 group-open:max-w-[calc(100vw-2rem)] group-open:justify-start group-open:border-e group-open:border-b group-open:border-line group-open:bg-surface group-open:ps-4 group-open:before:fixed group-open:before:inset-0 group-open:before:-z-10 group-open:before:bg-(--veil) forced-colors:group-open:before:bg-[Canvas]">
        <Menu aria-hidden="true" className="size-6 group-open:hidden" />
        <X aria-hidden="true" className="hidden size-6 group-open:block" />
        <span className="sr-only">{t('sidebar.menu')}</span>
      </summary>
      <div className="flex h-[calc(100dvh-3.5rem)] w-72 max-w-[calc(100vw-2rem)] flex-col overflow-y-auto overscroll-contain border-e border-line bg-surface shadow-float">
        <NavigationLists path={location.pathname} collapsed={false} />
        <div className="mt-auto border-t border-line p-3">{foot}</div>
      </div>
    </details>
  );
}
