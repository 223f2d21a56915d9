import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link, NavLink, useLocation } from 'react-router';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';

const PAGES = [
  { key: 'start', to: href('/docs') },
  { key: 'connect', to: href('/docs/connect') },
  { key: 'api', to: href('/docs/api') },
  { key: 'selfHosting', to: href('/docs/self-hosting') },
  { key: 'verify', to: href('/docs/verify') },
  { key: 'mocking', to: href('/docs/mocking') },
] as const;

/** One page of the documentation, with the others beside it. Its route names the namespace `docs` too. */
export function DocsFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { t } = useTranslation('docs');
  const { pathname } = useLocation();
  const next = PAGES[PAGES.findIndex(({ to }) => to === pathname) + 1];
  return (
    <PublicFrame title={title} description={lead}>
      <div className="mx-auto grid max-w-page gap-x-16 px-4 pb-24 sm:px-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label={t('nav.label')} className="pt-8 lg:sticky lg:top-16 lg:self-start lg:pt-20 print:hidden">
          <p className="text-sm font-semibold text-muted">{t('nav.label')}</p>
          <ul className="mt-2 flex flex-wrap gap-x-1 lg:grid lg:gap-0.5">
            {PAGES.map(({ key, to }) => (
              <li key={key}>
                <NavLink
                  to={to}
                  end
                  className="inline-flex min-h-9 w-full items-center rounded-md px-3 text-sm text-muted hover:bg-raised hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent lg:-ms-3"
                >
                  {t(`nav.${key}`)}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          <PublicHeading title={title} lead={lead} />
          <div className="grid max-w-3xl grid-cols-1 gap-12">{children}</div>
          {next ? (
            <p className="mt-16 flex max-w-3xl flex-wrap items-baseline gap-x-3 border-t border-line pt-5 print:hidden">
              <span className="text-sm text-muted">{t('nav.next')}</span>
              <Link className="text-link inline-block py-1 font-semibold" to={next.to}>
                {t(`nav.${next.key}`)}
              </Link>
            </p>
          ) : null}
        </div>
      </div>
    </PublicFrame>
  );
}

/** A section of a page: its text, with its code or table. */
export function DocsPart({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className="grid scroll-mt-20 gap-4">
      <h2 className="text-xl font-semibold">{title}</h2>
      {children}
    </section>
  );
}
