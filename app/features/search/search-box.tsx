import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { type Summoned, useSummoned } from '#app/components/palette/use-summoned.ts';
import Search from '~icons/search';

const isKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
const load = (): Promise<Summoned> => import('#app/features/search/command-palette.tsx').then((loaded) => loaded.CommandPalette);

/**
 * The search of the top bar: a form of its own, a link where there is no room for one. Ctrl or Cmd with K opens the palette, which
 * is fetched when it is first asked for; when it closes, the focus is back where it was.
 */
export function SearchBox() {
  const { t } = useTranslation('shell');
  const { Part: Palette, close } = useSummoned(isKey, load);
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
            className="min-h-9 w-64 rounded-md border border-edge bg-surface ps-8 pe-2 text-sm"
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
      {Palette === null ? null : <Palette onClose={close} />}
    </>
  );
}
