import { useEffect, useRef, useState } from 'react';
import { type Counts, useCountsUpdate } from '#app/components/live/live-counts.tsx';
import { pageEvents } from '#app/components/live/page-events.ts';
import type { ActivityMessage } from '#app/features/notifications/activity-message.ts';

/**
 * Listens for what is new for the reader while the page can be seen. What shows it is fetched with the first message: most
 * pages never need it. Whatever is shown stands in the inbox as well.
 */
export function Activity() {
  const { messages, over } = useActivity();
  const [Toasts, setToasts] = useState<null | typeof import('#app/components/toast/activity-toasts.tsx').ActivityToasts>(null);
  const wanted = messages.length > 0;
  useEffect(() => {
    if (!wanted) return;
    let left = false;
    import('#app/components/toast/activity-toasts.tsx').then(
      (loaded) => {
        if (!left) setToasts(() => loaded.ActivityToasts);
      },
      // Without the network nothing is shown; the inbox has it.
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [wanted]);
  return Toasts === null || over ? null : <Toasts messages={messages} of="activity" />;
}

function useActivity(): { messages: readonly ActivityMessage[]; over: boolean } {
  const [messages, setMessages] = useState<readonly ActivityMessage[]>([]);
  const [over, setOver] = useState(false);
  const update = useRef<(counts: Counts) => void>(() => undefined);
  const updateCounts = useCountsUpdate();
  useEffect(() => {
    update.current = updateCounts;
  }, [updateCounts]);
  useEffect(() => {
    if (over) return;
    return pageEvents.join({
      events: {
        counts: (event) => update.current(JSON.parse(event.data) as Counts),
        notification: (event) => {
          const message = JSON.parse(event.data) as ActivityMessage;
          setMessages((known) => (known.some(({ id }) => id === message.id) ? known : [...known, message].slice(-50)));
        },
        over: () => setOver(true),
      },
    });
  }, [over]);
  return { messages, over };
}
