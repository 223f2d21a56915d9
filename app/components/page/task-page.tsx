import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { BlockFirstPaint } from '#app/components/data/block-first-paint.tsx';
import { Wordmark } from '#app/components/look/logo.tsx';
import { Menu } from '#app/components/look/menu.tsx';
import { LanguageForm, ThemeForm } from '#app/components/look/preference-forms.tsx';
import { FlashNotice } from '#app/components/page/flash-notice.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { LANGUAGE_NAMES } from '#app/domain/web/languages.ts';
import Languages from '~icons/languages';
import SunMoon from '~icons/sun-moon';

/** A page with one task, outside the app area: sign in, confirm, answer an invitation. `above` comes before the heading. */
export function TaskPage({
  title,
  description,
  above,
  children,
}: {
  title: string;
  description?: ReactNode;
  above?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation('common');
  const { language } = useLocale();
  const named = useNamed();
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · ${t('productName')}`}</title>
      <BlockFirstPaint />
      <a
        href="#content"
        className="sr-only z-30 rounded-md bg-surface px-4 py-2 font-semibold text-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        {t('skipToContent')}
      </a>
      <header className="border-b border-line print:hidden">
        <div className="mx-auto flex h-16 max-w-page items-center gap-1 px-4 sm:px-8">
          <Link to={href('/')} className="rounded-md">
            <Wordmark name={t('productName')} />
          </Link>
          <div className="ms-auto flex items-center gap-1">
            <Menu
              label={named(t('language.label'), LANGUAGE_NAMES[language])}
              summary={<Languages aria-hidden="true" className="size-5" strokeWidth={1.75} />}
            >
              <LanguageForm />
            </Menu>
            <Menu label={t('theme.label')} summary={<SunMoon aria-hidden="true" className="size-5" strokeWidth={1.75} />}>
              <ThemeForm />
            </Menu>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-lg grow px-4 py-10 sm:py-16">
        {above ? <div className="mb-6">{above}</div> : null}
        <FlashNotice />
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {title}
        </h1>
        {description ? <div className="mt-2 max-w-measure text-muted">{description}</div> : null}
        <div className="mt-8 grid gap-8">{children}</div>
      </main>
    </div>
  );
}
