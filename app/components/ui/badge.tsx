import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'ok' | 'attention' | 'danger' | 'info' | 'accent';

const TONES: Record<Tone, string> = {
  neutral: 'border-line bg-raised text-ink',
  ok: 'border-ok-ink/30 bg-ok text-ok-ink',
  attention: 'border-attention-ink/30 bg-attention text-attention-ink',
  danger: 'border-danger-ink/30 bg-danger text-danger-ink',
  info: 'border-info-ink/30 bg-info text-info-ink',
  accent: 'border-accent/30 bg-accent-soft text-accent',
};

/** A short word in a chip: a count, a kind, a version. StatusWord shows states. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full border px-2 py-px text-xs font-semibold whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
