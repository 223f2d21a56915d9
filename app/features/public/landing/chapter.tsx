import type { ReactNode } from 'react';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';

/** A chapter of the story: it hangs on the line of the ledger that runs down the page, at an entry of its own. */
export function Chapter({
  id,
  entry,
  title,
  lead,
  children,
}: {
  id: string;
  entry: number;
  title: string;
  lead?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="chapter mx-auto max-w-page scroll-mt-12 px-4 sm:px-8" data-reveal="">
      <div className="relative border-s border-edge/50 py-8 ps-5 sm:py-12 sm:ps-10 lg:ps-16">
        <span
          aria-hidden="true"
          className="absolute start-0 top-[2.85rem] size-3 sm:top-[3.85rem] -ms-[6.5px] rounded-full border-2 border-accent bg-paper print:border-ink"
        />
        <p aria-hidden="true" className="font-mono text-xs text-muted">
          {String(entry).padStart(2, '0')}
        </p>
        <div className="mt-1 items-center gap-x-12 lg:grid lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
          <h2 id={`${id}-title`} className="max-w-[30ch] text-3xl font-semibold tracking-tight">
            {title}
          </h2>
          {lead ? <p className="mt-3 max-w-measure text-lg text-pretty text-muted lg:mt-0 lg:text-base">{lead}</p> : null}
        </div>
        <div className="mt-6 sm:mt-8">{children}</div>
      </div>
    </section>
  );
}

/** Cards that stand in a grid, as `className` says; on a phone they are one row that scrolls sideways, by keyboard too. */
export function CardRow({ labelledBy, className, children }: { labelledBy: string; className: string; children: ReactNode }) {
  return (
    <ScrollGroup labelledBy={labelledBy} className="card-row">
      <ul className={className}>{children}</ul>
    </ScrollGroup>
  );
}
