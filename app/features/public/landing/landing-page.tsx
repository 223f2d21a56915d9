import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { Carousel } from '#app/features/public/frame/carousel.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { SectionBoundary } from '#app/features/public/frame/section-boundary.tsx';
import { SectionUnavailable } from '#app/features/public/frame/section-unavailable.tsx';
import { StaticContent } from '#app/features/public/frame/static-content.tsx';
import { useReveal } from '#app/features/public/frame/use-reveal.ts';
import { Chapter } from '#app/features/public/landing/chapter.tsx';
import { CodeSamples } from '#app/features/public/landing/code-samples.tsx';
import { HeroVideo } from '#app/features/public/landing/hero-video.tsx';
import type { PartName } from '#app/features/public/landing/parts.tsx';

// The server has the parts at hand, or the first page would be sent before them. A browser loads them only when it must draw them itself.
const onServer = import.meta.env.SSR ? await import('#app/features/public/landing/parts.tsx') : null;
const LandingPart =
  onServer?.LandingPart ?? lazy(async () => ({ default: (await import('#app/features/public/landing/parts.tsx')).LandingPart }));

/** The start page: a story whose chapters hang on one line. Each part fails alone. */
export function LandingPage() {
  const { t } = useTranslation(['public', 'common']);
  useReveal();
  const part = (name: PartName) => (
    <StaticContent id={`part-${name}`}>
      <LandingPart name={name} />
    </StaticContent>
  );
  const still = (name: PartName, section: string) => (
    <SectionBoundary fallback={<SectionUnavailable name={section} />}>{part(name)}</SectionBoundary>
  );
  return (
    <PublicFrame fullTitle={`${t('common:productName')} · ${t('common:tagline')}`} description={t('hero.description')}>
      <SectionBoundary fallback={<SectionUnavailable name={t('sections.hero')} />}>
        <section className="mx-auto grid max-w-page gap-x-12 gap-y-8 px-4 py-8 sm:px-8 lg:grid-cols-2 lg:py-12">
          <div data-rise="">
            <p className="text-sm font-semibold text-accent">{t('common:tagline')}</p>
            <h1 tabIndex={-1} className="mt-3 text-4xl font-semibold tracking-tight">
              {t('hero.title')}
            </h1>
            {part('hero')}
          </div>
          {part('approval')}
          <HeroVideo />
        </section>
      </SectionBoundary>
      {still('highlights', t('sections.highlights'))}
      {still('pains', t('sections.pains'))}
      <SectionBoundary fallback={<SectionUnavailable name={t('sections.protocols')} />}>
        <Chapter id="demo" entry={3} title={t('protocols.title')} lead={t('protocols.lead')}>
          {part('protocols')}
          <CodeSamples level={3} />
        </Chapter>
      </SectionBoundary>
      {still('value', t('sections.value'))}
      <SectionBoundary fallback={<SectionUnavailable name={t('sections.integrations')} />}>
        <Chapter id="integrations" entry={5} title={t('integrations.title')} lead={t('integrations.lead')}>
          <div className="grid grid-cols-1 gap-x-8 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]">
            <Carousel label={t('sections.integrations')} count={5}>
              {part('integrations')}
            </Carousel>
            <div className="min-w-0">{part('grid')}</div>
          </div>
        </Chapter>
      </SectionBoundary>
      {still('interactive', t('sections.interactive'))}
      <SectionBoundary fallback={<SectionUnavailable name={t('sections.testimonials')} />}>
        <Chapter id="testimonials" entry={7} title={t('testimonials.title')} lead={t('testimonials.lead')}>
          <Carousel label={t('sections.testimonials')} count={3}>
            {part('testimonials')}
          </Carousel>
        </Chapter>
      </SectionBoundary>
      {still('pricing', t('sections.pricing'))}
      {still('trust', t('sections.trust'))}
    </PublicFrame>
  );
}
