import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { ShortcutList } from '#app/components/palette/shortcut-list.tsx';
import { SHORTCUT_GROUPS } from '#app/components/palette/shortcuts.ts';
import { Button } from '#app/components/ui/button.tsx';

/** The keys of the product, over the page. The same list stands in the help for all. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    // The texts of the help come when they are first wanted.
    <Suspense fallback={null}>
      <Sheet onClose={onClose} />
    </Suspense>
  );
}

function Sheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('help');
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      aria-labelledby="shortcut-sheet-title"
      onClose={onClose}
      className="m-auto max-h-[85dvh] w-full max-w-2xl overflow-y-auto overscroll-contain rounded-lg border border-line bg-surface p-0 text-ink shadow-[0_8px_24px_rgb(0_0_0/0.2)] backdrop:bg-(--veil)"
    >
      <div className="grid gap-6 p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <h2 id="shortcut-sheet-title" className="text-xl font-semibold">
            {t('shortcutsTitle')}
          </h2>
          <Button type="button" size="small" onClick={() => box.current?.close()}>
            {t('shortcutsClose')}
          </Button>
        </div>
        <p className="max-w-measure text-muted">{t('shortcutsText')}</p>
        <ShortcutList groups={SHORTCUT_GROUPS} />
        <p>
          <Link to={href('/dashboard/appearance')} className="text-link" onClick={() => box.current?.close()}>
            {t('shortcutsOff')}
          </Link>
        </p>
      </div>
    </dialog>
  );
}
