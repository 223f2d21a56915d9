import type { ReactNode } from 'react';

type Props = { items: readonly { term: string; description: ReactNode }[]; narrow?: boolean };

/** Facts about one thing: terms and values, stacked on a phone and side by side above. `narrow`: in a panel, with less room for terms. */
export function DescriptionList({ items, narrow = false }: Props) {
  return (
    <dl className="border-t border-line">
      {items.map((item) => (
        <div
          key={item.term}
          className={`grid gap-y-0.5 border-b border-line compact:py-1.5 ${narrow ? 'grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 py-1.5 text-sm' : 'gap-x-6 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]'}`}
        >
          <dt className="text-sm text-muted sm:pt-0.5">{item.term}</dt>
          <dd className="min-w-0">{item.description}</dd>
        </div>
      ))}
    </dl>
  );
}
