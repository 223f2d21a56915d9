import type { NoticeKind } from '#app/components/page/notice.tsx';
/** The result of a form in a few words. `danger` is the destructive one: what failed. */
export type ToastMessage = { kind: NoticeKind; title: string; text?: string };

export type ShownToast = ToastMessage & { id: number };
