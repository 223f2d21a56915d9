import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useRotation } from '#app/features/public/frame/use-rotation.ts';
import ChevronLeft from '~icons/chevron-left';
import ChevronRight from '~icons/chevron-right';
import Pause from '~icons/pause';
import Play from '~icons/play';

const CONTROL = 'grid size-9 place-items-center rounded-md border border-line bg-surface text-ink hover:bg-raised [&>svg]:size-4';

/**
 * A carousel after the WAI-ARIA pattern (APG, "Carousel"): the control that stops it comes first. `children` hold a `CarouselTrack` of
 * `count` slides, which scrolls on its own where no script runs; then the controls are not there.
 */
export function Carousel({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  const { t } = useTranslation('public');
  const hydrated = useHydrated();
  const box = useRef<HTMLElement>(null);
  const { index, rotating, show, toggle } = useRotation(box, count);
  return (
    <section ref={box} aria-roledescription={t('carousel.role')} aria-label={label}>
      <div className={`mb-3 flex min-h-9 flex-wrap items-center gap-2 print:hidden ${withScriptsOnly(hydrated)}`}>
        <button type="button" className={CONTROL} onClick={toggle} aria-label={rotating ? t('carousel.pause') : t('carousel.play')}>
          {rotating ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        </button>
        <button type="button" className={CONTROL} onClick={() => show(index - 1)} aria-label={t('carousel.previous')}>
          <ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />
        </button>
        <button type="button" className={CONTROL} onClick={() => show(index + 1)} aria-label={t('carousel.next')}>
          <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
        </button>
        <fieldset className="ms-auto flex">
          <legend className="sr-only">{t('carousel.choose')}</legend>
          {Array.from({ length: count }, (_, slide) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a slide is its place
              key={slide}
              type="button"
              onClick={() => show(slide)}
              aria-label={t('carousel.show', { number: slide + 1 })}
              {...(slide === index ? { 'aria-current': 'true' as const } : {})}
              className="group grid size-7 place-items-center rounded-full"
            >
              <span className="size-2.5 rounded-full border border-edge group-aria-[current=true]:border-accent group-aria-[current=true]:bg-accent" />
            </button>
          ))}
        </fieldset>
      </div>
      <div aria-live={rotating ? 'off' : 'polite'}>{children}</div>
    </section>
  );
}
