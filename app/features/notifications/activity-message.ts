import type { NotificationKind } from '#app/domain/notifications.ts';

/** One notification as the stream carries it: in words of the reader's language. `message` is its key. */
export type ActivityMessage = { id: string; kind: NotificationKind; message: string; text: string; path: string };
