import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';

/**
 * After a navigation in the browser, focus moves to the heading of the new page, as a page load would start at the top, and screen readers
 * hear the title; in screen reader mode also the number of headings. It moves together with the page: a moment later it would take the focus
 * from who is quick with keys.
 */
export function RouteFocus() {
  const { pathname } = useLocation();
  const { t } = useTranslation('common');
  const { announce, settings } = useAccessibility();
  const before = useRef(pathname);
  useLayoutEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    const title = document.title;
    const count = document.querySelectorAll('main :is(h1, h2, h3)').length;
    announce(settings.screenReaderMode ? t('arrived', { title, count }) : title);
  }, [pathname, announce, settings.screenReaderMode, t]);
  return null;
}
