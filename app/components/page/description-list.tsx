import type { ReactNode } from 'react';

/** Facts about one thing: terms and values, stacked on a phone and side by side above. */
export function DescriptionList({ items }: { items: readonly { term: string; description: ReactNode }[] }) {
  return (
    <dl className="border-t border-line">
      {items.map((item) => (
        <div
          key={item.term}
          className="grid gap-x-6 gap-y-0.5 border-b border-line py-2.5 compact:py-1.5 sm:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <dt className="text-sm text-muted sm:pt-0.5">{item.term}</dt>
          <dd className="min-w-0">{item.description}</dd>
        </div>
      ))}
    </dl>
  );
}
