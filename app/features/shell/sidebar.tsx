import Menu from 'lucide-react/icons/menu';
import PanelStart from 'lucide-react/icons/panel-left';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useFetcher, useLocation } from 'react-router';
import { Mark, Wordmark } from '#app/components/mark.tsx';
import { useClosedOnLeaving } from '#app/components/menu.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { activeItem, type ItemId, SIDEBAR } from '#app/features/shell/navigation.ts';

const ITEM_NAMES = {
  dashboard: 'item.dashboard',
  reasoning: 'item.reasoning',
  agents: 'item.agents',
  workflows: 'item.workflows',
  plugins: 'item.plugins',
  analytics: 'item.analytics',
  llmHub: 'item.llmHub',
  marketplace: 'item.marketplace',
  devConsole: 'item.devConsole',
  audit: 'item.audit',
  admin: 'item.admin',
  policies: 'item.policies',
  appearance: 'item.appearance',
  account: 'item.account',
  help: 'item.help',
} as const satisfies Record<ItemId, string>;

const GROUP_NAMES = {
  platform: 'group.platform',
  development: 'group.development',
  administration: 'group.administration',
  support: 'group.support',
} as const;

/** The sidebar above 768 px, 16rem or a rail of 3rem; below, a drawer of 18rem that opens without scripts. */
export function Sidebar({ collapsed }: { collapsed: boolean }) {
  return (
    <>
      <Rail collapsed={collapsed} />
      <Drawer />
    </>
  );
}

function Rail({ collapsed: kept }: { collapsed: boolean }) {
  const { t } = useTranslation(['shell', 'common']);
  const location = useLocation();
  const fetcher = useFetcher();
  const button = useRef<HTMLButtonElement>(null);
  // What was asked for counts while the cookie is still on its way.
  const asked = fetcher.formData?.get('state');
  const collapsed = asked === undefined ? kept : asked === 'collapsed';

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      button.current?.click();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

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
      <NavigationLists path={location.pathname} collapsed={collapsed} />
      <fetcher.Form method="post" action="/preferences/sidebar" className={`mt-auto border-t border-line ${collapsed ? 'p-1.5' : 'p-3'}`}>
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
    </aside>
  );
}

function Drawer() {
  const { t } = useTranslation(['shell', 'common']);
  const location = useLocation();
  const details = useRef<HTMLDetailsElement>(null);
  useClosedOnLeaving(details);
  return (
    <details ref={details} className="group fixed start-0 top-0 z-20 md:hidden print:hidden">
      <summary className="flex h-14 w-14 list-none items-center justify-center text-ink group-open:w-72 group-open:justify-start group-open:border-e group-open:border-b group-open:border-line group-open:bg-surface group-open:ps-4">
        <Menu aria-hidden="true" className="size-6" />
        <span className="sr-only">{t('sidebar.menu')}</span>
      </summary>
      <div className="h-[calc(100dvh-3.5rem)] w-72 max-w-[100vw] overflow-y-auto border-e border-line bg-surface shadow-float">
        <NavigationLists path={location.pathname} collapsed={false} />
      </div>
    </details>
  );
}

function NavigationLists({ path, collapsed }: { path: string; collapsed: boolean }) {
  const { t } = useTranslation(['shell', 'common']);
  const active = activeItem(path);
  return (
    <nav aria-label={t('sidebar.label')} className={collapsed ? 'px-1.5 py-3' : 'px-3 py-4'}>
      {SIDEBAR.map((group) => (
        <div key={group.id} className={collapsed ? 'mb-2 border-b border-line pb-2 last:border-b-0' : 'mb-5'}>
          <h2 className={collapsed ? 'sr-only' : 'px-2 pb-1.5 text-xs font-semibold text-muted'}>{t(GROUP_NAMES[group.id])}</h2>
          <ul className="grid gap-0.5">
            {group.items.map(({ id, route, Icon, badge }) => (
              <li key={id}>
                <Link
                  to={route}
                  prefetch="intent"
                  {...(active === id ? { 'aria-current': 'page' as const } : {})}
                  title={collapsed ? t(ITEM_NAMES[id]) : undefined}
                  className={`relative flex min-h-9 items-center gap-3 rounded-md px-2 text-sm text-ink hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent forced-colors:aria-[current=page]:outline ${collapsed ? 'justify-center' : ''}`}
                >
                  <Icon aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
                  <span className={collapsed ? 'sr-only' : ''}>{t(ITEM_NAMES[id])}</span>
                  {badge === 'new' && !collapsed ? <Badge tone="accent">{t('badge.new')}</Badge> : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
