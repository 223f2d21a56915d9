import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useImmediateNavigation } from '#app/components/live/router-edges.tsx';

/** Shown during a navigation while the server answers: a line along the top, and words with a spinner. */
export function NavigationProgress() {
  const { t } = useTranslation('common');
  const { waiting, location } = useImmediateNavigation();
  // Inside the app area the shell names the area that is being loaded.
  const named = useLocation().pathname.startsWith('/dashboard') && location?.pathname.startsWith('/dashboard') === true;
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-40 print:hidden">
      {waiting ? (
        <>
          <span aria-hidden="true" className="progress-line block h-0.5 bg-accent" />
          {named ? null : (
            // A short wait shows nothing: the word would only flicker.
            <p className="late mx-auto mt-3 flex w-fit items-center gap-2 rounded-full border border-edge bg-surface px-4 py-2 text-sm font-semibold shadow-float">
              <span aria-hidden="true" className="size-4 animate-spin rounded-full border-2 border-line border-t-accent" />
              {t('loading')}
            </p>
          )}
        </>
      ) : null}
    </div>
  );
}
