import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Wordmark } from '#app/components/look/logo.tsx';
import { Menu } from '#app/components/look/menu.tsx';
import { LanguageForm, ThemeForm } from '#app/components/look/preference-forms.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { LANGUAGE_NAMES } from '#app/domain/web/languages.ts';
import Languages from '~icons/languages';
import MenuIcon from '~icons/menu';
import SunMoon from '~icons/sun-moon';

const ANCHORS = [
  { text: 'features', to: `${href('/')}#features` },
  { text: 'demo', to: `${href('/')}#demo` },
  { text: 'pricing', to: `${href('/')}#pricing` },
  { text: 'about', to: `${href('/')}#about` },
] as const;

/** The navigation bar. On small screens the links stand in a menu that opens without scripts. */
export function PublicBar() {
  const { t } = useTranslation(['public', 'common']);
  const { language } = useLocale();
  return (
    <BarRow>
      <nav aria-label={t('bar.label')} className="ms-6 hidden lg:block">
        <ul className="flex items-center gap-1">
          {ANCHORS.map(({ text, to }) => (
            <li key={text}>
              <Link to={to} className="inline-flex min-h-9 items-center rounded-md px-3 text-sm text-ink hover:bg-raised">
                {t(`links.${text}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="ms-auto flex items-center gap-0.5">
        <Menu
          label={t('languageMenu', { language: LANGUAGE_NAMES[language] })}
          summary={<Languages aria-hidden="true" className="size-5" strokeWidth={1.75} />}
        >
          <LanguageForm />
        </Menu>
        <div className="max-sm:hidden">
          <Menu label={t('common:theme.label')} summary={<SunMoon aria-hidden="true" className="size-5" strokeWidth={1.75} />}>
            <ThemeForm />
          </Menu>
        </div>
        <span className="ms-2 hidden items-center gap-2 sm:flex">
          <EntryButtons />
        </span>
        <div className="lg:hidden">
          <Menu label={t('bar.menu')} summary={<MenuIcon aria-hidden="true" className="size-5" strokeWidth={1.75} />}>
            <nav aria-label={t('bar.label')}>
              <ul className="grid gap-0.5">
                {ANCHORS.map(({ text, to }) => (
                  <li key={text}>
                    <Link to={to} className="flex min-h-11 items-center rounded-md px-2.5 text-ink hover:bg-raised">
                      {t(`links.${text}`)}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            <div className="mt-2 border-t border-line pt-2 sm:hidden">
              <ThemeForm />
            </div>
            <div className="mt-2 grid gap-2 border-t border-line pt-3 pb-1 sm:hidden [&>a]:justify-self-stretch">
              <EntryButtons />
            </div>
          </Menu>
        </div>
      </div>
    </BarRow>
  );
}

/** The fallback of the bar: the name and the two ways in. */
export function ReducedBar() {
  const { t } = useTranslation(['public', 'common']);
  return (
    <BarRow>
      <span className="ms-auto flex items-center gap-2">
        <EntryButtons />
      </span>
      <span className="sr-only">{t('bar.label')}</span>
    </BarRow>
  );
}

function BarRow({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common');
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper print:static">
      <div className="mx-auto flex h-16 max-w-page items-center px-4 sm:px-8">
        <Link to={href('/')} className="inline-flex rounded-md">
          <Wordmark name={t('productName')} />
        </Link>
        {children}
      </div>
    </header>
  );
}

function EntryButtons() {
  const { t } = useTranslation('public');
  return (
    <>
      <ButtonLink to={href('/auth')} size="small">
        {t('signIn')}
      </ButtonLink>
      <ButtonLink to={`${href('/auth')}?mode=sign-up`} size="small" variant="primary">
        {t('getStarted')}
      </ButtonLink>
    </>
  );
}
