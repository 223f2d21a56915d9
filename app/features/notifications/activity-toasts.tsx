import X from 'lucide-react/icons/x';
import { type FocusEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Toaster, toast } from 'sonner';
import { useReader } from '#app/components/reader.tsx';
import { directionOf } from '#app/domain/languages.ts';
import type { ActivityMessage } from '#app/features/notifications/activity-message.ts';
import { NotificationIcon } from '#app/features/notifications/notification-tone.tsx';

// Figures of the specification (section 8): 3 visible, 4000 ms, 14 px apart; 356 px wide and gone in 200 ms are sonner's own.
const VISIBLE = 3;
const SHOWN_MS = 4000;
const GAP_PX = 14;

/** Each message once, at the end side of the screen; F8 leads to them, and they stay while one points at them or is inside. */
export function ActivityToasts({ messages }: { messages: readonly ActivityMessage[] }) {
  const { t } = useTranslation('shell');
  const { language } = useReader();
  const direction = directionOf(language);
  const shown = useRef(new Set<string>());
  useEffect(() => {
    for (const message of messages) {
      if (shown.current.has(message.id)) continue;
      shown.current.add(message.id);
      toast.custom((id) => <Message message={message} onClose={() => toast.dismiss(id)} />, { id: message.id });
    }
  }, [messages]);
  return (
    <Toaster
      position={direction === 'rtl' ? 'bottom-left' : 'bottom-right'}
      dir={direction}
      visibleToasts={VISIBLE}
      duration={SHOWN_MS}
      gap={GAP_PX}
      hotkey={['F8']}
      customAriaLabel={t('activity.label')}
    />
  );
}

function Message({ message, onClose }: { message: ActivityMessage; onClose: () => void }) {
  const { t } = useTranslation('shell');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus is inside
    <div
      onFocus={holdWhileFocused}
      onBlur={letGoWhenLeft}
      className="flex w-(--width) max-w-full items-start gap-3 rounded-lg border border-line bg-surface p-4 font-sans text-sm text-ink shadow-[0_8px_24px_rgb(0_0_0/0.12)]"
    >
      <NotificationIcon kind={message.kind} message={message.message} />
      <Link
        to={message.path}
        onClick={onClose}
        className="min-w-0 flex-1 text-ink underline decoration-line underline-offset-4 hover:decoration-ink"
      >
        {message.text}
      </Link>
      <button
        type="button"
        onClick={onClose}
        aria-label={t('activity.close')}
        className="-me-2 -mt-2 grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-raised"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

// sonner waits while the pointer is on its list, and knows nothing of the focus: it is told of it as of a pointer.
function holdWhileFocused(event: FocusEvent<HTMLElement>) {
  event.currentTarget.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }));
}

function letGoWhenLeft(event: FocusEvent<HTMLElement>) {
  const list = event.currentTarget.closest('[data-sonner-toaster]');
  if (list === null || (event.relatedTarget instanceof Node && list.contains(event.relatedTarget))) return;
  event.currentTarget.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
}
