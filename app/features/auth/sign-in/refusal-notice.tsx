import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { ToastOnce } from '#app/components/toast/toast-provider.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { Refusal } from '#app/features/auth/sign-in/refusal.ts';

/** Explains why the form was refused: above the form, announced and focused; with scripts also as a toast. */
export function RefusalNotice({
  refusal,
  title,
  children,
}: {
  refusal: Refusal | null | undefined;
  title: string;
  children?: React.ReactNode;
}) {
  const { t } = useTranslation('auth');
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  // biome-ignore lint/correctness/useExhaustiveDependencies: scripts that arrive bring no new answer
  useEffect(() => {
    // The button that was pressed is switched off while the answer is awaited, and the focus is lost with it. A notice that was served has
    // had the focus: by now its reader may be in a field.
    if (refusal && hydrated) box.current?.focus();
  }, [refusal]);
  if (!refusal) return null;
  const text = refusal.text === 'failure.tooMany' ? t('failure.tooMany', { count: refusal.seconds ?? 0 }) : t(refusal.text);
  const unexpected = refusal.group === 'unavailable' && title !== t('unexpected') ? t('unexpected') : null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts this is what brings the reader to the reason
      autoFocus
      className="rounded-md focus:outline-2 focus:outline-offset-2 focus:outline-danger-ink"
    >
      <ToastOnce of={refusal} kind="danger" title={title} text={unexpected ?? text} />
      <Notice kind="danger" title={title}>
        {unexpected === null ? null : <p>{unexpected}</p>}
        <p>{text}</p>
        {refusal.reference === null ? null : (
          <p className="mt-2">
            {t('reference')} <CopiedCode text={refusal.reference} name={t('reference')} />
          </p>
        )}
        {children}
      </Notice>
    </div>
  );
}
