import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The slides of a carousel as a list that snaps while one scrolls it: all of it is there without scripts. */
export function CarouselTrack({ slides }: { slides: readonly ReactNode[] }) {
  const { t } = useTranslation('landing');
  return (
    <ul
      data-carousel-track=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the focus to be scrolled by keys
      tabIndex={0}
      aria-label={t('carousel.slides')}
      className="carousel-track flex gap-4 overflow-x-auto rounded-lg"
    >
      {slides.map((slide, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slide is its place
        <li key={index} className="w-full shrink-0 snap-start">
          {/* biome-ignore lint/a11y/useSemanticElements: the carousel pattern asks for a group, and a fieldset is for forms */}
          <div
            role="group"
            aria-roledescription={t('carousel.slide')}
            aria-label={t('carousel.position', { number: index + 1, total: slides.length })}
            className="h-full"
          >
            {slide}
          </div>
        </li>
      ))}
    </ul>
  );
}
