import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '#app/components/notice.tsx';
import { Sidebar } from '#app/features/shell/sidebar.tsx';
import { TopBar } from '#app/features/shell/top-bar.tsx';

export type ShellData = {
  member: { name: string; email: string; roles: readonly string[] };
  workspace: { id: string; name: string; halted: boolean };
  decides: boolean;
  approvalsWaiting: number;
  collapsed: boolean;
};

/** The app area: sidebar at the start, bar on top, the screen in the rest. */
export function AppShell({ shell, children }: { shell: ShellData; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[auto_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="sr-only z-30 rounded-md bg-surface px-4 py-2 font-semibold text-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        {t('skipToContent')}
      </a>
      <Sidebar collapsed={shell.collapsed} />
      <div className="flex min-w-0 flex-col">
        <TopBar shell={shell} />
        {shell.workspace.halted ? (
          <div className="border-b border-line px-4 py-3 sm:px-6 lg:px-8">
            <Notice kind="danger" title={t('halted.title')}>
              {t('halted.text')}
            </Notice>
          </div>
        ) : null}
        <main id="content" tabIndex={-1} className="min-w-0 grow">
          {children}
        </main>
      </div>
    </div>
  );
}
