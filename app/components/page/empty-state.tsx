import type { ReactNode } from 'react';

type Props = { title: string; description?: ReactNode; action?: ReactNode };

/** An empty list: says what would be here, and how to make the first one. */
export function EmptyState({ title, description, action }: Props) {
  return (
    <div className="rounded-lg border border-dashed border-edge px-6 py-10 text-center">
      <EmptyPage className="mx-auto mb-4 h-12" />
      <p className="text-lg font-semibold">{title}</p>
      {description ? <p className="mx-auto mt-2 max-w-measure text-muted">{description}</p> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-3">{action}</div> : null}
    </div>
  );
}

/** The same in a line, for one of several lists on a page. `action`: a link, the one next step. */
export function EmptyPart({ title, description, action }: Props) {
  return (
    <div className="flex items-center gap-4 rounded-lg border border-dashed border-edge px-4 py-3">
      <EmptyPage className="h-10 shrink-0" />
      <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <p>{title}</p>
          {description ? <p className="max-w-measure text-sm text-muted">{description}</p> : null}
        </div>
        {action ? <div className="text-sm">{action}</div> : null}
      </div>
    </div>
  );
}

/** A page of the ledger with nothing on its lines yet. */
function EmptyPage({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 72 48" className={`fill-none stroke-edge ${className}`} strokeWidth="1.5" strokeLinecap="round">
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
