import * as Toast from 'radix-ui/toast';
import { useTranslation } from 'react-i18next';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { useToastEdge } from '#app/components/toast/toast-edge.ts';
import { ToastFace, toastClass } from '#app/components/toast/toast-look.tsx';
import type { ShownToast } from '#app/components/toast/toast-message.ts';
import { directionOf } from '#app/domain/web/languages.ts';
import X from '~icons/x';

/** A toast that reports the result of a form. */
const DURATION_MS = 5_000;
const SWIPE_PX = 50;
const HOTKEY = ['F8'];

const PLACES = { top: 'top-0', 'below bar': 'top-14', bottom: 'bottom-0' } as const;
const KINDS = { ok: 'toast.ok', attention: 'toast.attention', danger: 'toast.danger', info: 'toast.info' } as const;

/**
 * The toasts for results of forms. Each waits while it is pointed at or focused, is wiped away towards the
 * edge it stands at, and is reached with F8. Loaded when there is the first one to show.
 */
export default function ToastList({ toasts, onGone }: { toasts: readonly ShownToast[]; onGone: (id: number) => void }) {
  const { t } = useTranslation('common');
  const { language } = useLocale();
  const { screenReaderMode } = useAccessibility().settings;
  const named = useNamed();
  const edge = useToastEdge();
  const towards = directionOf(language) === 'rtl' ? 'left' : 'right';
  return (
    <Toast.Provider duration={DURATION_MS} swipeThreshold={SWIPE_PX} swipeDirection={towards} label={t('toast.one')}>
      {toasts.map(({ id, kind, title, text }) => {
        const close = (
          <Toast.Close
            aria-label={t('toast.close')}
            className="-me-2 -mt-1 grid size-8 shrink-0 place-items-center rounded-md hover:bg-surface/60"
          >
            <X aria-hidden="true" className="size-4" />
          </Toast.Close>
        );
        return (
          <Toast.Root
            key={id}
            type={kind === 'danger' ? 'foreground' : 'background'}
            onOpenChange={(open) => {
              if (!open) onGone(id);
            }}
            data-kind={kind}
            className={toastClass(kind)}
          >
            <ToastFace kind={kind} close={close}>
              <Toast.Title className="font-semibold">{screenReaderMode ? named(t(KINDS[kind]), title) : title}</Toast.Title>
              {text === undefined ? null : <Toast.Description className="mt-1 text-sm text-ink">{text}</Toast.Description>}
            </ToastFace>
          </Toast.Root>
        );
      })}
      <Toast.Viewport
        hotkey={HOTKEY}
        label={t('toast.viewport')}
        className={`fixed end-0 ${PLACES[edge]} z-50 flex w-full max-w-md flex-col gap-2 p-4 print:hidden`}
      />
    </Toast.Provider>
  );
}
