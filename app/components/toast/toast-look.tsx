import type { ReactNode } from 'react';
import { NOTICE_LOOKS, type NoticeKind } from '#app/components/page/notice.tsx';

/** Ground and edge of a toast. */
export const toastClass = (kind: NoticeKind) =>
  `toast flex gap-3 rounded-md border border-s-4 px-4 py-3 shadow-float ${NOTICE_LOOKS[kind].className}`;

/** Its icon, then its words; `children` are the title, the text, and what closes it. */
export function ToastFace({ kind, close, children }: { kind: NoticeKind; close?: ReactNode; children: ReactNode }) {
  const { Icon } = NOTICE_LOOKS[kind];
  return (
    <>
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 grow">{children}</div>
      {close}
    </>
  );
}
