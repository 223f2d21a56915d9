import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '#app/components/ui/badge.tsx';

/** A picture of the product made of its own components. Its values are made up, and it says so. Needs the namespace product. */
export function ExampleFrame({ caption, children }: { caption: string; children: ReactNode }) {
  const { t } = useTranslation('product');
  return (
    <figure className="min-w-0">
      <figcaption className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-muted">
        <Badge>{t('example.label')}</Badge>
        <span className="max-w-[100ch]">{caption}</span>
      </figcaption>
      {children}
    </figure>
  );
}
