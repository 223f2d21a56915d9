import type { ReactNode } from 'react';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';

/** Cards that stand in a grid, as `className` says; on a phone they are one row that scrolls sideways, by keyboard too. */
export function CardRow({ labelledBy, className, children }: { labelledBy: string; className: string; children: ReactNode }) {
  return (
    <ScrollGroup labelledBy={labelledBy} className="card-row">
      <ul className={className}>{children}</ul>
    </ScrollGroup>
  );
}
