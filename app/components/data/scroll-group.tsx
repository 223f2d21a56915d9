import type { ReactNode } from 'react';

type Name = { label: string; labelledBy?: never } | { label?: never; labelledBy: string };

/** What may be wider or longer than its place: it scrolls, a keyboard can scroll it too (WCAG 2.1.1), and it says what it is. */
export function ScrollGroup({ label, labelledBy, className, children }: Name & { className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields; and no region, of which a page may have few
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
