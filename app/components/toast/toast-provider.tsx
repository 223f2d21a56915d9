import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFlash } from '#app/components/page/flash-notice.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import type { ShownToast, ToastMessage } from '#app/components/toast/toast-message.ts';

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

// Most pages have nothing to say, and load nothing for it.
const ToastList = lazy(() => import('#app/components/toast/toast-list.tsx'));

/** Shows toasts: the message that a redirect has left, where the page does not show it, and whatever `useToast` and `ToastOnce` are given. */
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

/** Shows a toast. Without scripts there is none: the page itself says what has changed. */
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
  const shown = useFlash();
  const { i18n } = useTranslation('notices');
  const flash = shown?.place === 'toast' ? shown.flash : null;
  const title = flash ? runtimeText(i18n, 'notices', flash.key, flash.values) : null;
  return <ToastOnce of={title === null ? null : flash} kind={flash?.kind ?? 'info'} title={title ?? ''} />;
}
