import { type ReactNode, useId } from 'react';

/** A part of a public page below its head: ruled off, with a heading of its own. */
export function PublicPart({ id, title, lead, children }: { id?: string; title: string; lead?: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section id={id} aria-labelledby={heading} className="mt-16 scroll-mt-16 border-t border-edge/50 pt-10">
      <h2 id={heading} className="max-w-[32ch] text-2xl font-semibold tracking-tight">
        {title}
      </h2>
      {lead ? <p className="mt-3 max-w-measure text-muted">{lead}</p> : null}
      <div className="mt-8">{children}</div>
    </section>
  );
}
