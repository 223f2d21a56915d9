import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import Search from '~icons/search';

type Palette = ComponentType<{ onClose: () => void }>;

/**
 * The search of the top bar: a form of its own, a link where there is no room for one. Ctrl or Cmd with K opens the palette, which
 * is fetched when it is first asked for; when it closes, the focus is back where it was.
 */
export function SearchBox() {
  const { t } = useTranslation('shell');
  const { Palette, open, close } = usePalette();
  const listens = useHydrated();
  return (
    <>
      <search className="hidden lg:block">
        <Form method="get" action={href('/dashboard/search')} className="relative">
          <button
            type="submit"
            aria-label={t('search.label')}
            className="absolute inset-y-0 start-0 grid w-8 place-items-center rounded-md text-muted hover:text-ink"
          >
            <Search aria-hidden="true" className="size-4" />
          </button>
          <label htmlFor="top-search" className="sr-only">
            {t('search.label')}
          </label>
          <input
            id="top-search"
            type="search"
            name="q"
            autoComplete="off"
            dir="auto"
            placeholder={t('search.placeholder')}
            aria-keyshortcuts={listens ? 'Control+K Meta+K' : undefined}
            className="min-h-9 w-56 rounded-md border border-edge bg-surface px-8 text-sm xl:w-64"
          />
        </Form>
      </search>
      <Link
        to={href('/dashboard/search')}
        aria-label={t('search.label')}
        className="grid min-h-9 min-w-9 place-items-center rounded-md text-ink hover:bg-raised lg:hidden"
      >
        <Search aria-hidden="true" className="size-5" strokeWidth={1.75} />
      </Link>
      {open && Palette !== null ? <Palette onClose={close} /> : null}
    </>
  );
}

function usePalette() {
  const [Palette, setPalette] = useState<Palette | null>(null);
  const [open, setOpen] = useState(false);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen((isOpen) => {
        if (!isOpen) before.current = document.activeElement;
        return !isOpen;
      });
      void import('#app/features/search/command-palette.tsx').then(
        (loaded) => setPalette(() => loaded.CommandPalette),
        // Without the network the form and its page are still there.
        () => setOpen(false),
      );
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    // Only once the dialog is gone: while it is open it keeps the focus inside.
    if (open || !(before.current instanceof HTMLElement)) return;
    before.current.focus();
    before.current = null;
  }, [open]);
  // The same one each time: the answers are drawn again with it.
  const close = useCallback(() => setOpen(false), []);
  return { Palette, open, close };
}
