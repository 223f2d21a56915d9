import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '#app/components/ui/badge.tsx';
import { activeItem, SIDEBAR } from '#app/features/shell/navigation.ts';
import { GROUP_NAMES, ITEM_DESCRIPTIONS, ITEM_NAMES } from '#app/features/shell/navigation-names.ts';

/** The areas under the names of their groups. Collapsed, the names stay for who cannot see the icons. */
export function NavigationLists({ path, collapsed }: { path: string; collapsed: boolean }) {
  const { t } = useTranslation('shell');
  const active = activeItem(path);
  return (
    <nav aria-label={t('sidebar.label')} className={collapsed ? 'px-1.5 py-3' : 'px-3 py-4 short:py-2'}>
      {SIDEBAR.map((group) => (
        <div key={group.id} className={collapsed ? 'mb-2 border-b border-line pb-2 last:border-b-0' : 'mb-5 short:mb-3 last:mb-0'}>
          <h2 className={collapsed ? 'sr-only' : 'px-2 pb-1.5 short:pb-0.5 text-xs font-semibold text-muted'}>
            {t(GROUP_NAMES[group.id])}
          </h2>
          <ul className="grid gap-0.5">
            {group.items.map(({ id, route, Icon, badge }) => (
              <li key={id}>
                <Link
                  to={route}
                  prefetch="intent"
                  {...(active === id ? { 'aria-current': 'page' as const } : {})}
                  title={collapsed ? t(ITEM_NAMES[id]) : t(ITEM_DESCRIPTIONS[id])}
                  className={`relative flex min-h-9 short:min-h-8 items-center gap-3 rounded-md px-2 text-sm text-ink hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent forced-colors:aria-[current=page]:outline ${collapsed ? 'justify-center' : ''}`}
                >
                  <Icon aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
                  <span className={collapsed ? 'sr-only' : ''}>{t(ITEM_NAMES[id])}</span>
                  {badge === 'new' ? (
                    <span className={collapsed ? 'sr-only' : ''}>
                      <Badge tone="accent">{t('badge.new')}</Badge>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
