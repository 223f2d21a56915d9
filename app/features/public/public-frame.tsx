import Languages from 'lucide-react/icons/languages';
import SunMoon from 'lucide-react/icons/sun-moon';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Wordmark } from '#app/components/mark.tsx';
import { Menu } from '#app/components/menu.tsx';
import { LanguageForm, ThemeForm } from '#app/components/preference-forms.tsx';
import { useReader } from '#app/components/reader.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { LANGUAGE_NAMES } from '#app/domain/languages.ts';

/** Bar and foot of the public pages. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['public', 'common']);
  const { language } = useReader();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-30 rounded-md bg-surface px-4 py-2 font-semibold text-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        {t('common:skipToContent')}
      </a>
      <header className="border-b border-line print:hidden">
        <div className="mx-auto flex h-16 max-w-page items-center gap-1 px-4 sm:px-8">
          <Link to="/" className="inline-flex rounded-md">
            <Wordmark name={t('common:productName')} />
          </Link>
          <div className="ms-auto flex items-center gap-1">
            <Menu
              label={t('languageMenu', { language: LANGUAGE_NAMES[language] })}
              summary={<Languages aria-hidden="true" className="size-5" strokeWidth={1.75} />}
            >
              <LanguageForm />
            </Menu>
            <Menu label={t('common:theme.label')} summary={<SunMoon aria-hidden="true" className="size-5" strokeWidth={1.75} />}>
              <ThemeForm />
            </Menu>
            <span className="ms-1 sm:ms-3">
              <ButtonLink to="/auth" size="small">
                {t('signIn')}
              </ButtonLink>
            </span>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="grow">
        {children}
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-page flex-wrap items-baseline justify-between gap-4 px-4 py-8 text-sm text-muted sm:px-8">
          <p>{t('footer.line')}</p>
        </div>
      </footer>
    </div>
  );
}
