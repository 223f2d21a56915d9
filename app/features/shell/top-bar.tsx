import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { Avatar } from '#app/components/data/avatar.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import type { IconComponent } from '#app/components/icon/create-icon.ts';
import { useLiveCounts } from '#app/components/live/live-counts.tsx';
import { Menu } from '#app/components/look/menu.tsx';
import { LanguageForm, ThemeForm } from '#app/components/look/preference-forms.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';
import type { AreaId } from '#app/domain/people/areas.ts';
import { LANGUAGE_NAMES } from '#app/domain/web/languages.ts';
import { SIDEBAR } from '#app/features/shell/navigation.ts';
import { ITEM_NAMES } from '#app/features/shell/navigation-names.ts';
import type { ShellData } from '#app/features/shell/shell-data.ts';
import { WorkspaceMenu } from '#app/features/shell/workspace-menu.tsx';
import Bell from '~icons/bell';
import ChevronDown from '~icons/chevron-down';
import Languages from '~icons/languages';
import LogOut from '~icons/log-out';
import Stamp from '~icons/stamp';

/** The top bar: workspace, open counts, and the person's menu. */
export function TopBar({ shell, search }: { shell: ShellData; search?: ReactNode }) {
  const { t } = useTranslation(['shell', 'common']);
  const { language } = useLocale();
  const counts = useLiveCounts() ?? shell.counts;
  return (
    <header
      id="top-bar"
      tabIndex={-1}
      className="sticky top-0 z-10 flex h-14 items-center gap-1 border-b border-line bg-paper ps-16 pe-2 sm:pe-4 md:ps-4 lg:ps-6 print:hidden"
    >
      <div className="min-w-0">
        <WorkspaceMenu shell={shell} />
      </div>
      <div className="ms-auto flex shrink-0 items-center gap-0.5">
        {search}
        <CountLink
          to={href('/dashboard/approvals')}
          Icon={Stamp}
          label={t('approvals')}
          count={counts.approvals}
          spoken={t('approvalsWaiting', { count: counts.approvals })}
        />
        <CountLink
          to={href('/dashboard/notifications')}
          Icon={Bell}
          label={t('notifications')}
          count={counts.unread}
          spoken={t('notificationsUnread', { count: counts.unread })}
        />
        <div className="hidden sm:block">
          <Menu
            label={t('languageMenu', { language: LANGUAGE_NAMES[language] })}
            summary={
              <>
                <Languages aria-hidden="true" className="size-5" strokeWidth={1.75} />
                <span className="hidden text-xs uppercase sm:inline">{language}</span>
              </>
            }
          >
            <LanguageForm />
          </Menu>
        </div>
        <Menu
          label={t('userMenu', { name: shell.member.name })}
          summary={
            <>
              <Avatar name={shell.member.name} picture={shell.member.picture} />
              <ChevronDown aria-hidden="true" className="hidden size-4 text-muted sm:block" />
            </>
          }
        >
          <div className="border-b border-line px-2.5 pt-1 pb-3">
            <p className="truncate font-semibold">{shell.member.name}</p>
            <p dir="ltr" className="truncate text-sm text-muted rtl:text-end">
              {shell.member.email}
            </p>
          </div>
          <div className="border-b border-line py-2">
            <p className="px-2.5 pb-1 text-xs font-semibold text-muted">{t('common:theme.label')}</p>
            <ThemeForm />
          </div>
          <UserLinks />
          <div className="border-b border-line py-2 sm:hidden">
            <p className="px-2.5 pb-1 text-xs font-semibold text-muted">{t('common:language.label')}</p>
            <LanguageForm />
          </div>
          <Form method="post" action={href('/auth/sign-out')} className="pt-2">
            <WorkspaceInput />
            <button type="submit" className="flex min-h-9 w-full items-center gap-3 rounded-md px-2.5 text-start text-sm hover:bg-raised">
              <LogOut aria-hidden="true" className="size-4 rtl:-scale-x-100" />
              {t('signOut')}
            </button>
          </Form>
        </Menu>
      </div>
    </header>
  );
}

const USER_LINKS = ['account', 'appearance', 'help'] as const satisfies readonly AreaId[];

/** Personal pages; those of an area without a screen are left out, as in the sidebar. */
function UserLinks() {
  const { t } = useTranslation('shell');
  const items = USER_LINKS.flatMap((id) => SIDEBAR.flatMap((group) => group.items.filter((item) => item.id === id)));
  return (
    <ul className="border-b border-line py-2">
      {items.map(({ id, route, Icon }) => (
        <li key={id}>
          <Link to={route} className="flex min-h-9 items-center gap-3 rounded-md px-2.5 text-sm hover:bg-raised">
            <Icon aria-hidden="true" className="size-4" />
            {t(ITEM_NAMES[id])}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The highest count that is shown; more is this number with a plus. */
const COUNT_MAX = 99;

function CountLink({ to, Icon, label, count, spoken }: { to: string; Icon: IconComponent; label: string; count: number; spoken: string }) {
  const formats = useFormats();
  return (
    <Link to={to} className="relative flex min-h-9 items-center gap-2 rounded-md px-2 text-sm text-ink hover:bg-raised">
      <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
      <span className="sr-only xl:not-sr-only">{label}</span>
      <span className="sr-only"> {spoken}</span>
      <span
        aria-hidden="true"
        className={`rounded-full text-center text-xs forced-colors:border font-semibold tabular-nums max-sm:absolute max-sm:-top-0.5 max-sm:end-0 max-sm:min-w-4 max-sm:px-1 sm:min-w-6 sm:px-1.5 ${count > 0 ? 'bg-accent text-accent-ink forced-colors:forced-color-adjust-none' : 'bg-raised text-muted max-sm:hidden'}`}
      >
        {count > COUNT_MAX ? `${formats.number(COUNT_MAX)}+` : formats.number(count)}
      </span>
    </Link>
  );
}
