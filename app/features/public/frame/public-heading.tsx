import type { ReactNode } from 'react';

/** The head of a public page: its one h1 and a sentence about it. */
export function PublicHeading({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <header className="pt-10 pb-8 lg:pt-14">
      <h1 tabIndex={-1} className="max-w-[24ch] text-3xl font-semibold tracking-tight">
        {title}
      </h1>
      {lead ? <p className="mt-4 max-w-measure text-lg text-pretty text-muted">{lead}</p> : null}
      {children}
    </header>
  );
}
