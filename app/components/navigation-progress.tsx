import { useTranslation } from 'react-i18next';
import { useLocation, useNavigation } from 'react-router';

/** What a navigation in the browser shows while it waits for the server: a line along the top, and the words for who cannot see it. */
export function NavigationProgress() {
  const { t } = useTranslation('common');
  const { state, location } = useNavigation();
  const waiting = state !== 'idle';
  // Inside the app area the shell names the area that is being loaded.
  const named = useLocation().pathname.startsWith('/dashboard') && location?.pathname.startsWith('/dashboard') === true;
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-40 print:hidden">
      {waiting ? (
        <>
          {named ? null : <span className="sr-only">{t('loading')}</span>}
          <span aria-hidden="true" className="progress-line block h-0.5 bg-accent" />
        </>
      ) : null}
    </div>
  );
}
