import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFlash } from '#app/components/page/flash-notice.tsx';
import type { NoticeKind } from '#app/components/page/notice.tsx';
import { useReader } from '#app/components/text/reader.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';

/** The result of a form in a few words. `danger` is the destructive one: what failed. */
export type ToastMessage = { kind: NoticeKind; title: string; text?: string };
export type ShownToast = ToastMessage & { id: number };

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

// Most pages have nothing to say, and load nothing for it.
const ToastList = lazy(() => import('#app/components/toast/toast-list.tsx'));

/** Shows toasts: the notice that a redirect has left, and whatever `useToast` and `ToastOnce` are given. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const next = useRef(1);
  const show = useCallback((message: ToastMessage) => {
    const id = next.current++;
    setToasts((shown) => [...shown, { ...message, id }]);
  }, []);
  const forget = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);
  return (
    <ToastContext value={show}>
      <FlashToast />
      {children}
      {next.current > 1 ? (
        <Suspense fallback={null}>
          <ToastList toasts={toasts} onGone={forget} />
        </Suspense>
      ) : null}
    </ToastContext>
  );
}

/** Shows a toast. The same must stand in the page as well, for who has no scripts, or was slower than the toast. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

/** Shows a toast once for each answer of a form: `of` is the action's data, by its identity. Null shows nothing. */
export function ToastOnce({ of, kind, title, text }: { of: unknown } & ToastMessage) {
  const show = useToast();
  const shown = useRef<unknown>(null);
  useEffect(() => {
    if (of === null || of === undefined || shown.current === of) return;
    shown.current = of;
    show({ kind, title, ...(text === undefined ? {} : { text }) });
  }, [of, kind, title, text, show]);
  return null;
}

function FlashToast() {
  const flash = useFlash();
  const { now } = useReader();
  const { i18n } = useTranslation('notices');
  const title = flash ? runtimeText(i18n, 'notices', flash.key, flash.values) : null;
  // The moment of the page, so that the same words after the next form are said again.
  return <ToastOnce of={title === null ? null : now} kind={flash?.kind ?? 'info'} title={title ?? ''} />;
}
