import type { ReactNode } from 'react';

/** A ruled surface. It is no landmark: give it a heading inside, or use Section. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-lg border border-line bg-surface p-4 sm:p-6 ${className}`}>{children}</div>;
}
