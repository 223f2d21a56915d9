import type { ActivityWords } from '#app/components/toast/activity-toast.tsx';

/** One notification as the stream carries it: in words of the reader's language. */
export type ActivityMessage = ActivityWords & { id: string };
