import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { hasTyped, hasUnsaved, onTyped } from '#app/components/form/unsaved/unsaved.ts';
import { Button } from '#app/components/ui/button.tsx';

/** Asks before a page is left whose form was changed and not sent: in the page by a dialog, else by the browser's own question. */
export function UnsavedGuard() {
  const isTyped = useSyncExternalStore(onTyped, hasTyped, () => false);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => hasUnsaved() && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    // Listened for only meanwhile: pages with such a listener are not kept for the way back.
    if (!isTyped) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isTyped]);
  return blocker.state === 'blocked' ? <Question onStay={blocker.reset} onLeave={blocker.proceed} /> : null;
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('common');
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      aria-labelledby="unsaved-title"
      aria-describedby="unsaved-text"
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
      className="m-auto w-full max-w-md rounded-lg border border-line bg-surface p-6 text-ink shadow-[0_8px_24px_rgb(0_0_0/0.2)] backdrop:bg-(--veil)"
    >
      <h2 id="unsaved-title" className="text-lg font-semibold">
        {t('unsaved.title')}
      </h2>
      <p id="unsaved-text" className="mt-2 text-muted">
        {t('unsaved.text')}
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button type="button" variant="primary" onClick={onStay}>
          {t('unsaved.stay')}
        </Button>
        <Button type="button" variant="danger" onClick={onLeave}>
          {t('unsaved.leave')}
        </Button>
      </div>
    </dialog>
  );
}
