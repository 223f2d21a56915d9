import PanelStart from 'lucide-react/icons/panel-left';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useFetcher, useLocation } from 'react-router';
import { Mark, Wordmark } from '#app/components/mark.tsx';
import type { ShellData } from '#app/features/shell/app-shell.tsx';
import { Drawer, SIDEBAR_FROM } from '#app/features/shell/drawer.tsx';
import { HealthLink } from '#app/features/shell/health-word.tsx';
import { NavigationLists } from '#app/features/shell/navigation-lists.tsx';
import { isToggleShortcut } from '#app/features/shell/toggle-shortcut.ts';

/** The sidebar above 768 px, 16rem or a rail of 3rem; below, a drawer of 18rem that opens without scripts. */
export function Sidebar({ shell }: { shell: ShellData }) {
  const button = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isToggleShortcut(event)) return;
      event.preventDefault();
      if (window.matchMedia(SIDEBAR_FROM).matches) button.current?.click();
      else if (drawer.current) drawer.current.open = !drawer.current.open;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Rail shell={shell} button={button} />
      <Drawer box={drawer} foot={<HealthLink health={shell.health} collapsed={false} />} />
    </>
  );
}

function Rail({ shell, button }: { shell: ShellData; button: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation(['shell', 'common']);
  const location = useLocation();
  const fetcher = useFetcher();
  // What was asked for counts while the cookie is still on its way.
  const asked = fetcher.formData?.get('state');
  const collapsed = asked === undefined ? shell.collapsed : asked === 'collapsed';
  return (
    <aside
      data-state={collapsed ? 'collapsed' : 'expanded'}
      className={`sticky top-0 hidden h-dvh flex-col overflow-y-auto border-e border-line bg-surface transition-[width] duration-200 ease-out md:flex print:hidden ${collapsed ? 'w-12' : 'w-64'}`}
    >
      <div className={`flex h-14 shrink-0 items-center border-b border-line ${collapsed ? 'justify-center' : 'px-4'}`}>
        <Link to="/dashboard" aria-label={t('home')} className="inline-flex rounded-md">
          {collapsed ? <Mark className="size-7" /> : <Wordmark name={t('common:productName')} />}
        </Link>
      </div>
      <div id="areas" tabIndex={-1}>
        <NavigationLists path={location.pathname} collapsed={collapsed} />
      </div>
      <div className={`mt-auto grid gap-1 border-t border-line ${collapsed ? 'p-1.5' : 'p-3'}`}>
        <HealthLink health={shell.health} collapsed={collapsed} />
        <fetcher.Form method="post" action="/preferences/sidebar">
          <input type="hidden" name="next" value={`${location.pathname}${location.search}`} />
          <button
            ref={button}
            type="submit"
            name="state"
            value={collapsed ? 'expanded' : 'collapsed'}
            aria-keyshortcuts="Control+B Meta+B"
            title={collapsed ? t('sidebar.expand') : undefined}
            className="flex min-h-9 w-full items-center gap-3 rounded-md px-2 text-sm text-muted hover:bg-raised hover:text-ink"
          >
            <PanelStart aria-hidden="true" className="size-5 shrink-0 rtl:-scale-x-100" />
            <span className={collapsed ? 'sr-only' : ''}>{collapsed ? t('sidebar.expand') : t('sidebar.collapse')}</span>
          </button>
        </fetcher.Form>
      </div>
    </aside>
  );
}
