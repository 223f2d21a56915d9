import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router';

/** What a navigation in the browser shows while it waits for the server: a line along the top, and the words for who cannot see it. */
export function NavigationProgress() {
  const { t } = useTranslation('common');
  const waiting = useNavigation().state !== 'idle';
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-40 print:hidden">
      {waiting ? (
        <>
          <span className="sr-only">{t('loading')}</span>
          <span aria-hidden="true" className="progress-line block h-0.5 bg-accent" />
        </>
      ) : null}
    </div>
  );
}
