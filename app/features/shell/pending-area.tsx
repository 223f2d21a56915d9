import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigation } from 'react-router';
import { areaName } from '#app/features/shell/navigation-names.ts';

/** Anything faster needs no loading message. */
const SHOWN_AFTER_MS = 100;

/** The screen, and while a navigation in the browser waits for another one, the words that say which ('Loading Workflows…'). */
export function PendingArea({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['shell', 'common']);
  const path = usePendingPath();
  const area = path === null ? null : areaName(path);
  return (
    <main id="content" tabIndex={-1} aria-busy={path !== null} className="min-w-0 grow">
      <p role="status" className="sticky top-14 z-10 flex h-0 justify-center print:hidden">
        {path === null ? null : (
          <span className="mt-3 h-fit rounded-full border border-line bg-surface px-4 py-1.5 text-sm font-semibold shadow-float">
            {t('loadingArea', { area: area === null ? t('common:productName') : t(area) })}
          </span>
        )}
      </p>
      <div className={path === null ? '' : 'opacity-60 transition-opacity duration-200'}>{children}</div>
    </main>
  );
}

/** The address that is being loaded for longer than a moment, or null. A change of the query alone stays on its screen. */
function usePendingPath(): string | null {
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const target = navigation.state === 'loading' && navigation.location.pathname !== pathname ? navigation.location.pathname : null;
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (target === null) return;
    const timer = setTimeout(() => setLate(target), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [target]);
  return target !== null && late === target ? target : null;
}
