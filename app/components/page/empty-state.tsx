import type { ReactNode } from 'react';

/** An empty list: says what would be here, and how to make the first one. */
export function EmptyState({ title, description, action }: { title: string; description?: ReactNode; action?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-edge px-6 py-10 text-center">
      <EmptyPage />
      <p className="text-lg font-semibold">{title}</p>
      {description ? <p className="mx-auto mt-2 max-w-measure text-muted">{description}</p> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-3">{action}</div> : null}
    </div>
  );
}

/** A page of the ledger with nothing on its lines yet. */
function EmptyPage() {
  return (
    <svg aria-hidden="true" viewBox="0 0 72 48" className="mx-auto mb-4 h-12 fill-none stroke-edge" strokeWidth="1.5" strokeLinecap="round">
      <rect x="14" y="3" width="44" height="42" rx="4" className="fill-surface" />
      <path d="M30 16h20M30 25h20M30 34h12" strokeDasharray="3 4" />
      <g className="stroke-accent">
        <circle cx="22.5" cy="16" r="2.5" />
        <circle cx="22.5" cy="25" r="2.5" strokeDasharray="2 2" />
        <circle cx="22.5" cy="34" r="2.5" strokeDasharray="2 2" />
      </g>
    </svg>
  );
}
