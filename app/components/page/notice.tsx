import type { ReactNode } from 'react';
import CircleAlert from '~icons/circle-alert';
import CircleCheck from '~icons/circle-check';
import Info from '~icons/info';
import TriangleAlert from '~icons/triangle-alert';

export type NoticeKind = 'ok' | 'attention' | 'danger' | 'info';

/** The icon and colours of a kind of message, in the page and as a toast. */
export const NOTICE_LOOKS: Record<NoticeKind, { className: string; Icon: typeof Info }> = {
  ok: { className: 'border-ok-ink/40 border-s-ok-ink bg-ok text-ok-ink', Icon: CircleCheck },
  attention: { className: 'border-attention-ink/40 border-s-attention-ink bg-attention text-attention-ink', Icon: TriangleAlert },
  danger: { className: 'border-danger-ink/40 border-s-danger-ink bg-danger text-danger-ink', Icon: CircleAlert },
  info: { className: 'border-info-ink/40 border-s-info-ink bg-info text-info-ink', Icon: Info },
};

/** A message in the page. `live` announces it to screen readers: for something that has just happened. */
export function Notice({ kind, title, children, live = false }: { kind: NoticeKind; title: string; children?: ReactNode; live?: boolean }) {
  const { className, Icon } = NOTICE_LOOKS[kind];
  return (
    <div className={`flex gap-3 rounded-md border border-s-4 px-4 py-3 ${className}`} {...(live ? { role: 'status' } : {})}>
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        {children ? <div className="mt-1 max-w-measure text-ink [&_a]:text-link">{children}</div> : null}
      </div>
    </div>
  );
}
