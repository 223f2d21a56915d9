import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import { DemoTexts } from '#app/features/shell/demo-texts.tsx';
import { BEHIND_DRAWER } from '#app/features/shell/drawer.tsx';
import { PendingArea } from '#app/features/shell/pending-area.tsx';
import type { ShellData } from '#app/features/shell/shell-data.ts';
import { ShortcutKey } from '#app/features/shell/shortcuts/shortcut-key.tsx';
import { Sidebar } from '#app/features/shell/sidebar.tsx';
import { TopBar } from '#app/features/shell/top-bar.tsx';

/** The app area: sidebar at the start, bar on top with the search given, the screen in the rest. */
export function AppShell({ shell, search, children }: { shell: ShellData; search?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[auto_minmax(0,1fr)] print:block">
      <SkipLinks />
      <Sidebar shell={shell} />
      <div {...BEHIND_DRAWER} className="flex min-h-dvh min-w-0 flex-col">
        <TopBar shell={shell} search={search} />
        {shell.workspace.halted ? (
          <div className="border-b border-line px-4 py-3 sm:px-6 lg:px-8">
            <Notice kind="danger" title={t('halted.title')}>
              {t('halted.text')}{' '}
              <Link to={href('/dashboard/admin/halt')} className="text-link py-0.5">
                {t('halted.more')}
              </Link>
            </Notice>
          </div>
        ) : null}
        <PendingArea>{children}</PendingArea>
        <ShortcutKey />
        {shell.texts === null ? null : <DemoTexts shown={shell.texts} />}
      </div>
    </div>
  );
}

const SKIP =
  'sr-only z-30 rounded-md bg-surface px-4 py-2 font-semibold text-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-3';
/** Beyond the first only for who said to go by keyboard, and where there is such a part. */
const FURTHER = `${SKIP} hidden`;

function SkipLinks() {
  const { t } = useTranslation('shell');
  return (
    <>
      <a {...BEHIND_DRAWER} href="#content" className={SKIP}>
        {t('skipToContent')}
      </a>
      <a {...BEHIND_DRAWER} href="#areas" className={`${FURTHER} md:in-[.keyboard-navigation]:inline`}>
        {t('skipToAreas')}
      </a>
      <a {...BEHIND_DRAWER} href="#top-search" className={`${FURTHER} lg:in-[.keyboard-navigation]:inline`}>
        {t('skipToSearch')}
      </a>
      <a {...BEHIND_DRAWER} href="#top-bar" className={`${FURTHER} in-[.keyboard-navigation]:inline`}>
        {t('skipToBar')}
      </a>
    </>
  );
}
