import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FlashNotice } from '#app/components/page/flash-notice.tsx';
import ChevronRight from '~icons/chevron-right';

export type Breadcrumb = { label: string; to: string };

/** The frame of a screen: document title, way back, heading, actions, and the notice of what has just happened. */
export function PageFrame({
  title,
  part,
  description,
  actions,
  breadcrumbs = [],
  wide = false,
  children,
}: {
  title: string;
  /** Of a page in parts with addresses of their own, the one that is shown: the document's title begins with it. */
  part?: string | undefined;
  description?: ReactNode;
  actions?: ReactNode;
  breadcrumbs?: readonly Breadcrumb[];
  /** Fills a large screen: for pictures and tables, not for text. */
  wide?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  return (
    <div
      data-wide={wide ? '' : undefined}
      className={`mx-auto w-full px-4 py-6 sm:px-6 lg:px-8 lg:py-8 ${wide ? 'max-w-[110rem]' : 'max-w-page'}`}
    >
      <title>{[part, title, t('productName')].filter((name) => name !== undefined).join(' · ')}</title>
      {breadcrumbs.length > 0 ? (
        <nav aria-label={t('breadcrumbs')} className="mb-3">
          <ol className="flex flex-wrap items-center gap-x-1 gap-y-1 text-sm text-muted">
            {breadcrumbs.map((crumb, place) => (
              <li key={crumb.to} className="flex items-center gap-1">
                {place === 0 ? null : <ChevronRight aria-hidden="true" className="size-3.5 rtl:-scale-x-100" />}
                <Link to={crumb.to} className="text-link inline-block py-0.5">
                  {crumb.label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight">
            <bdi>{title}</bdi>
          </h1>
          {description ? (
            <div className="mt-1.5 max-w-measure text-muted">
              {typeof description === 'string' ? <bdi>{description}</bdi> : description}
            </div>
          ) : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      <FlashNotice />
      <div className="page-body contents">{children}</div>
    </div>
  );
}
