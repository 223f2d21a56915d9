import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockFirstPaint } from '#app/components/data/block-first-paint.tsx';
import { FlashNotice } from '#app/components/page/flash-notice.tsx';
import { PublicBar, ReducedBar } from '#app/features/public/frame/public-bar.tsx';
import { PublicFooter } from '#app/features/public/frame/public-footer.tsx';
import { SectionBoundary } from '#app/features/public/frame/section-boundary.tsx';
import { SectionUnavailable } from '#app/features/public/frame/section-unavailable.tsx';
import { StaticContent } from '#app/features/public/frame/static-content.tsx';

// No browser loads it.
const head = import.meta.env.SSR ? await import('#app/components/page/seo-head.tsx') : null;
const foot = import.meta.env.SSR ? await import('#app/features/public/frame/structured-data.tsx') : null;

/**
 * Bar, content and foot of every public page, with the title and the description of its document. A route that uses it names the
 * namespace `public` in `handle.i18n`. `title` stands before the product's name; the start page gives `fullTitle`. `wide`: its pictures use
 * the room of a large screen, and the bar and the foot keep in line with them.
 */
export function PublicFrame({
  title,
  fullTitle,
  description,
  wide = false,
  children,
}: {
  title?: string;
  fullTitle?: string;
  description: string;
  wide?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation(['public', 'common']);
  const whole = fullTitle ?? `${title} · ${t('common:productName')}`;
  return (
    <div className={`flex min-h-dvh flex-col ${wide ? 'wide-page' : ''}`}>
      <title>{whole}</title>
      <BlockFirstPaint />
      <meta name="description" content={description} />
      {head ? <head.SeoHead title={title ?? whole} description={description} /> : null}
      <a
        href="#content"
        className="sr-only z-30 rounded-md bg-surface px-4 py-2 font-semibold text-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        {t('common:skipToContent')}
      </a>
      <SectionBoundary fallback={<ReducedBar />}>
        <PublicBar />
      </SectionBoundary>
      <main id="content" tabIndex={-1} className="grow">
        <div className="mx-auto max-w-page px-4 pt-6 empty:hidden sm:px-8">
          <FlashNotice />
        </div>
        {children}
      </main>
      <SectionBoundary fallback={<SectionUnavailable name={t('footer.name')} />}>
        <PublicFooter />
      </SectionBoundary>
      <StaticContent id="structured-data">
        {foot ? <foot.StructuredData title={title ?? whole} description={description} /> : null}
      </StaticContent>
    </div>
  );
}
