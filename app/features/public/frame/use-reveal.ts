import { useEffect } from 'react';
import { wantsStillness } from '#app/features/public/frame/wants-stillness.ts';

/** A part appears once more than a tenth of it is visible. */
const VISIBLE = 0.1;

/**
 * Lets parts of the page rise and fade in, once, as one scrolls to them. Nothing is hidden before someone scrolls, so nothing is lost where
 * scripts are late or off, in print, or to whoever takes the page as a whole; and nothing that has been on the screen is hidden again.
 */
export function useReveal() {
  useEffect(() => {
    if (wantsStillness()) return;
    let observer: IntersectionObserver | undefined;
    const begin = () => {
      observer = new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, target } of entries) {
            if (!isIntersecting) continue;
            target.removeAttribute('data-waiting');
            observer?.unobserve(target);
          }
        },
        { threshold: VISIBLE },
      );
      for (const part of document.querySelectorAll('[data-reveal]')) {
        if (part.getBoundingClientRect().top < window.innerHeight) continue;
        for (const [place, item] of [...part.querySelectorAll<HTMLElement>('[data-reveal-item]')].entries())
          item.style.setProperty('--place', String(place));
        part.setAttribute('data-waiting', '');
        observer.observe(part);
      }
    };
    window.addEventListener('scroll', begin, { once: true, passive: true });
    return () => {
      window.removeEventListener('scroll', begin);
      observer?.disconnect();
    };
  }, []);
}
