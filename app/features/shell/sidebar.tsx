import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, Link, useLocation, useRouteLoaderData } from 'react-router';
import { afterPaint } from '#app/components/live/after-paint.ts';
import { useChosen } from '#app/components/look/chosen.ts';
import { Logo, Wordmark } from '#app/components/look/logo.tsx';
import { keepPreference } from '#app/components/look/preference-cookie.ts';
import type { Consent } from '#app/domain/people/consent.ts';
import { Drawer, SIDEBAR_FROM } from '#app/features/shell/drawer.tsx';
import { HealthLink } from '#app/features/shell/health-word.tsx';
import { NavigationLists } from '#app/features/shell/navigation-lists.tsx';
import type { ShellData } from '#app/features/shell/shell-data.ts';
import { isToggleShortcut } from '#app/features/shell/shortcuts/toggle-shortcut.ts';
import { SIDEBAR_COOKIE, SIDEBAR_COOKIE_SECONDS } from '#app/features/shell/sidebar-cookie.ts';
import PanelStart from '~icons/panel-left';

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
  const [collapsed, toggle] = useCollapsed(shell.collapsed);
  const narrow = useFollowing(collapsed);
  return (
    <div className={`hidden md:block print:hidden ${narrow ? 'w-12' : 'w-64'}`}>
      <aside
        data-state={collapsed ? 'collapsed' : 'expanded'}
        className={`sticky top-0 z-20 flex h-dvh flex-col border-e border-line bg-surface ${collapsed ? 'w-12' : 'w-64'}`}
      >
        <div className={`flex h-14 shrink-0 items-center border-b border-line ${collapsed ? 'justify-center' : 'px-4'}`}>
          <Link to={href('/dashboard')} aria-label={t('home')} className="inline-flex rounded-md">
            {collapsed ? <Logo className="size-7" /> : <Wordmark name={t('common:productName')} />}
          </Link>
        </div>
        <div id="areas" tabIndex={-1} className="min-h-0 grow overflow-y-auto overscroll-contain">
          <NavigationLists path={location.pathname} collapsed={collapsed} />
        </div>
        <div className={`grid shrink-0 gap-1 border-t border-line ${collapsed ? 'p-1.5' : 'p-3'}`}>
          <HealthLink health={shell.health} collapsed={collapsed} />
          <Form method="post" action={href('/preferences/sidebar')} onSubmit={toggle}>
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
          </Form>
        </div>
      </aside>
    </div>
  );
}

/** Rail or not. Where scripts run, the browser keeps the choice itself, at once: nothing need be loaded for it. */
function useCollapsed(loaded: boolean): [boolean, (event: FormEvent) => void] {
  const forVisit = useRouteLoaderData<{ consent: Consent }>('root')?.consent.gdpr === true;
  const [collapsed, setCollapsed] = useChosen(loaded);
  const toggle = (event: FormEvent) => {
    event.preventDefault();
    keepPreference(SIDEBAR_COOKIE, collapsed ? 'expanded' : 'collapsed', forVisit ? null : SIDEBAR_COOKIE_SECONDS);
    setCollapsed(!collapsed);
  };
  return [collapsed, toggle];
}

/** The room that the sidebar takes follows it one picture later: the page beside it is laid out again then. */
function useFollowing(collapsed: boolean): boolean {
  const [narrow, setNarrow] = useState(collapsed);
  useEffect(() => {
    return narrow === collapsed ? undefined : afterPaint(() => setNarrow(collapsed));
  }, [narrow, collapsed]);
  return narrow;
}
