import { type FocusEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Toaster, toast } from 'sonner';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { ActivityToast, type ActivityWords } from '#app/components/toast/activity-toast.tsx';
import { BAR_PX, useToastEdge } from '#app/components/toast/toast-edge.ts';
import { directionOf } from '#app/domain/web/languages.ts';

// As sonner shows them: 3 at once for 4000 ms, 14 px apart. Their width (356 px) and exit time (200 ms) are sonner's defaults.
const VISIBLE = 3;
const SHOWN_MS = 4000;
const GAP_PX = 14;

/**
 * Each message once, at the end side of the screen; F8 leads to them, and they stay while one points at them or is inside. `of`: the
 * owner's name, where there is more than one list.
 */
export function ActivityToasts({ messages, of }: { messages: readonly (ActivityWords & { id: string })[]; of: string }) {
  const { t } = useTranslation('shell');
  const { language } = useLocale();
  const direction = directionOf(language);
  const edge = useToastEdge();
  const top = edge === 'below bar' ? BAR_PX + GAP_PX : GAP_PX;
  const shown = useRef(new Set<string>());
  useEffect(() => {
    for (const message of messages) {
      if (shown.current.has(message.id)) continue;
      shown.current.add(message.id);
      toast.custom((id) => <Held message={message} onClose={() => toast.dismiss(id)} />, { id: message.id, toasterId: of });
    }
  }, [messages, of]);
  return (
    <Toaster
      id={of}
      position={`${edge === 'bottom' ? 'bottom' : 'top'}-${direction === 'rtl' ? 'left' : 'right'}`}
      {...(edge === 'bottom' ? {} : { offset: { top }, mobileOffset: { top } })}
      dir={direction}
      visibleToasts={VISIBLE}
      duration={SHOWN_MS}
      gap={GAP_PX}
      hotkey={['F8']}
      customAriaLabel={t('activity.label')}
    />
  );
}

function Held({ message, onClose }: { message: ActivityWords; onClose: () => void }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus is inside
    <div onFocus={holdWhileFocused} onBlur={letGoWhenLeft}>
      <ActivityToast words={message} onClose={onClose} />
    </div>
  );
}

// sonner waits while the pointer is on its list, and knows nothing of the focus: it learns about it as of a pointer.
function holdWhileFocused(event: FocusEvent<HTMLElement>) {
  event.currentTarget.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }));
}

function letGoWhenLeft(event: FocusEvent<HTMLElement>) {
  const list = event.currentTarget.closest('[data-sonner-toaster]');
  if (list === null || (event.relatedTarget instanceof Node && list.contains(event.relatedTarget))) return;
  event.currentTarget.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
}
