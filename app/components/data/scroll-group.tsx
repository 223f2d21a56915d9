import type { ReactNode } from 'react';

type Name = { label: string; labelledBy?: never } | { label?: never; labelledBy: string };

/** Content that may be wider or taller than its place: it scrolls, also by keyboard (WCAG 2.1.1), and has a name. */
export function ScrollGroup({ label, labelledBy, className, children }: Name & { className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is not a set of fields; and not a region, of which a page should have few
    <div
      role="group"
      aria-label={label}
      aria-labelledby={labelledBy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: only what can be focused can be scrolled with the keyboard
      tabIndex={0}
      className={className}
    >
      {children}
    </div>
  );
}
