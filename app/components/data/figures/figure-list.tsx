import type { ReactNode } from 'react';
import ArrowDown from '~icons/arrow-down';
import ArrowUp from '~icons/arrow-up';

export type FigureItem = {
  term: string;
  value: ReactNode;
  /** The definition of the figure, always shown beside its number. */
  definition: string;
  /** Against what came before; `direction` draws the arrow and says nothing about good or bad. */
  change?: { text: string; direction: 'up' | 'down' | 'same' } | undefined;
};

/** Numbers, each with its definition and its previous value. */
export function FigureList({ label, items }: { label: string; items: readonly FigureItem[] }) {
  return (
    <dl
      aria-label={label}
      className={`grid gap-px overflow-hidden rounded-lg border border-line bg-line ${items.length % 3 === 0 ? 'sm:grid-cols-3' : 'sm:grid-cols-2 xl:grid-cols-4'}`}
    >
      {items.map((item, index) => (
        <div key={item.term} className={`bg-surface p-4 ${lastFills(index, items.length)}`}>
          <dt className="text-sm font-semibold text-muted">{item.term}</dt>
          <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">{item.value}</dd>
          {item.change === undefined ? null : (
            <dd className="mt-0.5 flex items-center gap-1 text-sm tabular-nums">
              {item.change.direction === 'up' ? <ArrowUp aria-hidden="true" className="size-4 shrink-0" /> : null}
              {item.change.direction === 'down' ? <ArrowDown aria-hidden="true" className="size-4 shrink-0" /> : null}
              <span>{item.change.text}</span>
            </dd>
          )}
          <dd className="mt-2 text-sm text-muted">{item.definition}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The last one fills the rest of its row, so that the grid has no gap. */
function lastFills(index: number, count: number): string {
  if (index !== count - 1 || count % 3 === 0) return '';
  const two = count % 2 === 1 ? 'sm:col-span-2' : '';
  const four = ['xl:col-span-1', 'xl:col-span-4', 'xl:col-span-3', 'xl:col-span-2'][count % 4] ?? '';
  return `${two} ${four}`;
}
